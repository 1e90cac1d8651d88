/** If red: a person is promised a saving that installing does not bring. */
import { expect, it } from "vitest";
import { reportParts } from "./report-saving.ts";

it.each([
  ["nothing of one agent whose plugin saves it", [["Claude Code", 33.51]], []],
  [
    "each of several agents, without those in which nothing is saved",
    [
      ["Claude Code", 33.51],
      ["pi", 0.11],
      ["OpenCode", 0],
    ],
    ["By agent: Claude Code $33.51, pi $0.11"],
  ],
  [
    "what the plugin cannot save, and what does",
    [["Codex", 59.74]],
    ["By agent: Codex $59.74 (only through the gateway: plimsoll run --compaction answer -- codex)"],
  ],
  [
    "a loss as a loss, without the command that would bring it",
    [
      ["Claude Code", 33.51],
      ["Codex", -2],
    ],
    ["By agent: Claude Code $33.51, Codex cost $2.00 more"],
  ],
  [
    "half a cent",
    [
      ["Claude Code", 33.51],
      ["pi", 0.005],
    ],
    ["By agent: Claude Code $33.51, pi $0.0050"],
  ],
  [
    "nothing of less than half a cent, saved or lost",
    [
      ["Claude Code", 33.51],
      ["pi", 0.00004],
      ["Codex", -0.0049],
    ],
    [],
  ],
] as const)("names %s", (_what, savings, lines) => {
  expect(reportParts(savings.map(([client, savedUsd]) => ({ client, savedUsd })))).toEqual(lines);
});
