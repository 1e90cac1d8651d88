/** If red: a session that grows full is not counted, saved and warned in that order. */
import { describe, expect, it } from "vitest";
import { followLoad, type LoadInput, listenToLoad } from "../../../test/support/follow-load.ts";
import { answer, called, request } from "../../../test/support/session-events.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { createMeter } from "../../measure/meter.ts";
import { parseContinueHere, renderContinueHere } from "./continue-here.ts";
import { runOnTrigger } from "./parse-trigger.ts";

/** A session measured event by event: every request makes one call and finds the window 2,000 tokens fuller. */
function measureSession(requests: number): readonly Health[] {
  const meter = createMeter();
  return Array.from({ length: requests }, (_, index) => {
    const { usage } = request("", 20_000 + index * 2000);
    meter.feed(answer(`s${index}`, usage, [called("Read", `c${index}`)]));
    return assessHealth(meter.state());
  });
}

describe("a session from empty to critical", () => {
  const readings = measureSession(70);
  const said = listenToLoad(readings);

  it("[R117] has every tool call counted and its level classified", () => {
    expect(readings.map(({ toolCalls }) => toolCalls)).toEqual(readings.map((_, index) => index + 1));
    expect([...new Set(readings.map(({ level }) => level))]).toEqual(["GREEN", "YELLOW", "ORANGE", "RED"]);
  });

  it("[R117] is advised according to its level, first at the very call that reached it", () => {
    for (const level of ["YELLOW", "ORANGE", "RED"] as const) {
      const reached = readings.find((health) => health.level === level)?.toolCalls;
      expect(said.find((advice) => advice.level === level)?.atCalls, level).toBe(reached);
    }
    expect(said.map(({ text }) => text)).toEqual([
      "Context at 51%. Load only essential files. Avoid reading full files when Grep will do.",
      "Context at 66%. Recommend /compact at next phase boundary (after current module completes).",
      "Context CRITICAL (76%). State saved to .plimsoll/. Run /compact now.",
    ]);
  });

  it("[R117] is saved, and the save confirmed, before anything is called critical", () => {
    const words = (inputs: readonly LoadInput[]): readonly string[] =>
      followLoad(inputs).commands.flatMap((each) => {
        if (each.kind === "tell") return each.text.includes("CRITICAL") ? ["critical"] : ["level"];
        return each.kind === "save" ? ["save"] : [];
      });
    const red = readings.findIndex(({ level }) => level === "RED");
    const until = readings.slice(0, red + 1).map((health) => ({ health }));
    expect(words(until)).toEqual(["level", "level", "save"]);
    expect(words([...until, { why: undefined }])).toEqual(["level", "level", "save", "critical"]);
  });

  it("[R117] is reported on when asked, with the level of the moment", () => {
    const facts = { happened: undefined, savedDecisions: 1, baseTokens: undefined };
    const reports = readings.map(
      (health) => runOnTrigger({ event: "context.compaction" }, { ...facts, health })?.report,
    );
    for (const [index, report] of reports.entries())
      expect(report).toContain(`- **Status**: ${readings[index]?.level}\n- **Tool Calls**: ${index + 1}\n`);
  });
});

describe("facts that matter", () => {
  it("[R110] are found again by probes after a pause", () => {
    const probes = ["port 8443, not 443", "refunds need two signatures", "E_LEDGER_17 at src/ledger.ts:211"];
    const written = renderContinueHere({
      phase: "4",
      task: 2,
      tasks: 6,
      completed: ["parse the order"],
      remaining: ["tax", "report", "docs", "release"],
      decisions: probes.slice(0, 2),
      blockers: probes.slice(2),
      wipFiles: ["src/ledger.ts"],
    });
    const read = parseContinueHere(written);
    expect([...(read?.decisions ?? []), ...(read?.blockers ?? [])]).toEqual(probes);
  });
});
