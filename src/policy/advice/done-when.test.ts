import { describe, expect, it } from "vitest";
import { answer, called, request } from "../../../test/support/session-events.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { createMeter } from "../../measure/meter.ts";
import { parseContinueHere, renderContinueHere } from "./continue-here.ts";
import { emptyRedState, followRed, type RedEvent } from "./follow-red.ts";
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

interface Logged {
  readonly health: Health;
  readonly event: RedEvent;
}

/** The whole module over a session; whoever saves confirms before the next call. */
function followSession(readings: readonly Health[]): readonly Logged[] {
  let state = emptyRedState;
  return readings.flatMap((health) => {
    const step = followRed(state, { kind: "measured", health });
    const asks = step.events.some(({ kind }) => kind === "saveState");
    const confirmed = asks ? followRed(step.state, { kind: "saveConfirmed" }) : { state: step.state, events: [] };
    state = confirmed.state;
    return [...step.events, ...confirmed.events].map((event) => ({ health, event }));
  });
}

describe("a session from empty to critical", () => {
  const readings = measureSession(70);
  const log = followSession(readings);
  const said = log.flatMap(({ event, health }) => (event.kind === "advice" ? [{ ...event.advice, health }] : []));

  it("[R117] has every tool call counted and its level classified", () => {
    expect(readings.map(({ toolCalls }) => toolCalls)).toEqual(readings.map((_, index) => index + 1));
    expect([...new Set(readings.map(({ level }) => level))]).toEqual(["GREEN", "YELLOW", "ORANGE", "RED"]);
  });

  it("[R117] is advised according to its level, first at the very call that reached it", () => {
    for (const level of ["YELLOW", "ORANGE", "RED"] as const) {
      const reached = readings.find((health) => health.level === level)?.toolCalls;
      expect(said.find((advice) => advice.level === level)?.health.toolCalls, level).toBe(reached);
    }
    expect(said.map(({ text }) => text)).toEqual([
      "Context at 51%. Load only essential files. Avoid reading full files when Grep will do.",
      "Context at 66%. Recommend /compact at next phase boundary (after current module completes).",
      "Context CRITICAL (76%). State saved to .plimsoll/. Run /compact now.",
    ]);
  });

  it("[R117] is saved, and the save confirmed, before anything is called critical", () => {
    const order = log.map(({ event }) => (event.kind === "advice" ? event.advice.kind : event.kind));
    expect(order.filter((kind) => kind !== "inject")).toEqual([
      "level",
      "level",
      "saveState",
      "stateSaved",
      "critical",
    ]);
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
