/** If red: lint does not report results that flooded a session or a prefix that changed. */
import { describe, expect, it } from "vitest";
import {
  answer,
  called,
  clearedInPlace,
  compacted,
  DENSE,
  injected,
  prompt,
  request,
  result,
  usage,
} from "../../../test/support/session-events.ts";
import type { SessionEvent } from "../../core/event.ts";
import { interpretCall } from "../../hosts/claude-code/interpret-call.ts";
import { createRecording } from "../../measure/recording.ts";
import { checkSessions } from "./check-sessions.ts";

const check = (...events: readonly SessionEvent[]) =>
  checkSessions([{ id: "s-1", recording: createRecording(events), interpretCall }]);
const rulesOf = (...events: readonly SessionEvent[]): readonly string[] =>
  check(...events).map(({ rule, severity }) => `${severity} ${rule}`);

/** A call and its result, then the request that carried it. */
const ran = (id: string, text: string, tokens: number): readonly SessionEvent[] => [
  answer(`${id}a`, usage({ read: tokens }), [called("Bash", id)], { model: DENSE }),
  result("Bash", id, text),
  request(`${id}b`, tokens, { model: DENSE }),
];

describe("checkSessions", () => {
  it("finds nothing in a quiet session", () => {
    expect(rulesOf(prompt("Go."), ...ran("c1", "short", 20_000), ...ran("c2", "short too", 20_100))).toEqual([]);
  });

  it("[R144] counts results that entered whole, and names the session of the largest", () => {
    const [found, ...others] = check(prompt("Go."), ...ran("c1", "x".repeat(4001), 20_000), ...ran("c2", "y", 22_000));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ rule: "no-truncation", severity: "warning", evidence: { session: "s-1" } });
    expect(found?.what).toContain("1 of 2 tool results are over 4000 characters");
    expect(found?.what).toContain("the largest result has 4001 (Bash)");
  });

  it("[R144] calls a dump of 100,000 characters an error, and lets what was folded pass", () => {
    expect(rulesOf(prompt("Go."), ...ran("c1", "x".repeat(100_000), 20_000))).toEqual(["error no-truncation"]);
    const folded = `[FOLDED: Bash output — 900 lines, 90000 chars]\n${"x".repeat(5000)}`;
    expect(rulesOf(prompt("Go."), ...ran("c1", folded, 20_000))).toEqual([]);
    expect(rulesOf(prompt("Go."), ...ran("c1", "x".repeat(4000), 20_000))).toEqual([]);
  });

  it("[R144] sees history dropped without a record", () => {
    const story = [prompt("Go."), request("s1", 50_000), prompt("On."), request("s2", 30_000)];
    expect(check(...story)).toMatchObject([{ rule: "fixed-size-trimming", evidence: { session: "s-1" } }]);
    expect(check(...story)[0]?.what).toContain("request 2 had 20000 fewer tokens");
    expect(rulesOf(prompt("Go."), request("s1", 50_000), clearedInPlace(20_000), request("s2", 30_000))).toEqual([]);
    expect(rulesOf(prompt("Go."), request("s1", 50_000), request("s2", 48_000))).toEqual([]);
  });

  it("[R144] sees a summary before anything cheaper was tried", () => {
    const large = ran("c1", "x".repeat(9000), 160_000);
    const end = [compacted({ preTokens: 167_000 }), injected("summary", "So far."), request("s9", 30_000)];
    expect(rulesOf(prompt("Go."), ...large, ...end)).toEqual(["warning no-truncation", "warning single-pass-summary"]);
    expect(rulesOf(prompt("Go."), ...large, clearedInPlace(9000), ...end)).toEqual(["warning no-truncation"]);
    expect(rulesOf(prompt("Go."), ...ran("c1", "short", 160_000), ...end)).toEqual([]);
  });

  it("[R144] sees a summary without a boundary", () => {
    expect(
      rulesOf(prompt("Go."), request("s1", 50_000), injected("summary", "So far."), request("s2", 20_000)),
    ).toEqual(["warning no-boundary-marker"]);
  });

  it("[R153] sees a prefix that changed in the middle, with its price", () => {
    const found = check(
      prompt("Go."),
      answer("s1", usage({ write5m: 40_000 }), [], { model: DENSE, atMs: 1000 }),
      answer("s2", usage({ read: 5000, write5m: 36_000 }), [], { model: DENSE, atMs: 2000 }),
    );
    expect(found).toMatchObject([{ rule: "no-dynamic-boundary", evidence: { session: "s-1" } }]);
    expect(found[0]?.what).toMatch(/1 request had to write 35000 cached tokens again .*, at a cost of \$0\.20$/);
  });

  it("[R144] does not blame the prefix for an edited history, a pause or another model", () => {
    const start = [prompt("Go."), answer("s1", usage({ write5m: 20_000 }), [], { model: DENSE, atMs: 0 })];
    const grown = answer("s2", usage({ read: 20_000, write5m: 60_000 }), [], { model: DENSE, atMs: 1 });
    const edited = answer("s3", usage({ read: 30_000, write5m: 55_000 }), [], { model: DENSE, atMs: 2 });
    const late = answer("s3", usage({ read: 0, write5m: 81_000 }), [], { model: DENSE, atMs: 4_000_000 });
    expect(rulesOf(...start, grown, edited)).toEqual([]);
    expect(rulesOf(...start, grown, late)).toEqual([]);
  });

  it("[R144] sees instructions that all came with the first request", () => {
    const nested = { ...injected("attachment", "x".repeat(20_000)), label: "nested_memory" };
    expect(rulesOf(nested, { ...nested, block: { ...nested.block } }, prompt("Go."), request("s1", 50_000))).toEqual([
      "warning unconditional-loading",
    ]);
  });

  it("[R147] prices what a hook tells with every prompt", () => {
    const rules = { ...injected("attachment", "Keep functions small. ".repeat(40)), label: "hook_additional_context" };
    const requests = Array.from({ length: 15 }, (_, index) => [
      rules,
      prompt("On."),
      request(`s${index}`, 30_000 + index),
    ]);
    const found = check(...requests.flat());
    expect(found).toMatchObject([{ rule: "repeated-injection", evidence: { session: "s-1" } }]);
    expect(found[0]?.what).toContain("14 times to a window that already contained it");
  });
});
