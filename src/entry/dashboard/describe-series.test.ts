/** If red: the chart of a session's window shows parts that do not add up, or hides a compaction. */
import { describe, expect, it } from "vitest";
import {
  answer,
  called,
  clearedInPlace,
  compacted,
  injected,
  prompt,
  request,
  result,
  usage,
} from "../../../test/support/session-events.ts";
import type { SessionEvent } from "../../core/event.ts";
import { createAccounts } from "../../hosts/usage.ts";
import { attributeWindow } from "../../measure/attribution.ts";
import { createRecording } from "../../measure/recording.ts";
import type { OwnAction } from "../../policy/actions/own-action.ts";
import { describeSeries } from "./describe-series.ts";

const ENTRY = {
  ...{ type: "line", parentUuid: "", logicalParentUuid: "", isSidechain: false, agentId: "", sessionId: "one" },
  ...{ version: "", cwd: "", isSynthetic: false, title: "", asides: [] },
};
const TEXT = "some words that were said about the matter\n".repeat(60);

function describeEvents(events: readonly SessionEvent[], actions: readonly OwnAction[] = []) {
  const recording = createRecording(events);
  const accounts = createAccounts();
  for (const [index, event] of events.entries()) accounts.follow({ ...ENTRY, uuid: `u${index}`, events: [event] });
  return describeSeries({ recording, accounts: accounts.close() }, attributeWindow(recording), actions);
}

const call = (step: string, id: string, tool: string, read: number) =>
  answer(step, usage({ read, output: 20 }), [called(tool, id)]);

describe("what fills the window, drawn", () => {
  it("has a layer for the base, each heavy tool and each kind of text, which together are what was sent", () => {
    const { layers, usedTokens, requests } = describeEvents([
      prompt(TEXT),
      call("s1", "1", "Bash", 20_000),
      result("Bash", "1", TEXT),
      call("s2", "2", "Read", 20_900),
      result("Read", "2", TEXT),
      request("s3", 21_700),
    ]);
    expect(requests).toEqual([1, 2, 3]);
    expect(layers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["System prompt and tools", "Results of Bash", "Results of Read", "Your prompts"]),
    );
    for (const [at, used] of usedTokens.entries()) {
      const sum = layers.reduce((total, { tokens }) => total + (tokens[at] ?? 0), 0);
      expect(Math.abs(sum - used)).toBeLessThanOrEqual(layers.length);
    }
  });

  it("is never more than what was sent, though the recorded parts are heavier", () => {
    const { layers, usedTokens } = describeEvents([
      prompt("go"),
      call("s1", "1", "Bash", 20_000),
      result("Bash", "1", TEXT.repeat(40)),
      request("s2", 20_100),
    ]);
    const sum = layers.reduce((total, { tokens }) => total + (tokens.at(-1) ?? 0), 0);
    expect(sum).toBeLessThanOrEqual((usedTokens.at(-1) ?? 0) + layers.length);
    expect(layers.find(({ name }) => name === "System prompt and tools")?.tokens.at(-1)).toBeGreaterThan(19_000);
  });

  it("keeps the five heaviest tools apart and the others together", () => {
    const tools = ["A", "B", "C", "D", "E", "F", "G"];
    const events = tools.flatMap((tool, index) => [
      call(`s${index}`, tool, tool, 20_000 + index * 3000),
      result(tool, tool, TEXT.repeat(tools.length - index)),
    ]);
    const { layers } = describeEvents([...events, request("last", 60_000)]);
    expect(layers.filter(({ kind }) => kind === "tool").map(({ name }) => name)).toEqual(
      ["A", "B", "C", "D", "E"].map((tool) => `Results of ${tool}`),
    );
    expect(layers.find(({ kind }) => kind === "otherTools")?.tokens.at(-1)).toBeGreaterThan(100);
  });

  it("marks compactions, clears, cache misses and folds at the requests they happened before", () => {
    const folded: OwnAction = {
      ...{ atMs: 1, door: "hook", event: "PostToolUse", client: "" },
      ...{ kind: "folded", callId: "1", tool: "Bash", handle: "plimsoll:000000000000" },
      ...{ characters: 9000, shownCharacters: 900, savedTokens: 2100 },
    };
    const { marks } = describeEvents(
      [
        call("s1", "1", "Bash", 20_000),
        result("Bash", "1", TEXT),
        call("s2", "2", "Bash", 21_000),
        clearedInPlace(4000),
        answer("s3", usage({ write5m: 21_500 })),
        compacted({ preTokens: 160_000 }),
        injected("summary", TEXT),
        request("s4", 21_000),
      ],
      [folded, { ...folded, callId: "never seen" }],
    );
    expect(marks.map(({ request, kind }) => [request, kind])).toEqual([
      [2, "fold"],
      [3, "clear"],
      [3, "miss"],
      [4, "compaction"],
    ]);
    expect(marks[0]?.text).toBe("Output of Bash shortened by 2.1k tokens");
  });

  it("thins a long session out, but never where something happened, and never the last request", () => {
    const events = Array.from({ length: 2000 }, (_, index) => request(`s${index}`, 20_000 + index));
    const { requests } = describeEvents([...events.slice(0, 1001), compacted(), ...events.slice(1001)]);
    expect(requests.length).toBeLessThan(600);
    expect(requests).toContain(1002);
    expect(requests.at(-1)).toBe(2000);
  });
});
