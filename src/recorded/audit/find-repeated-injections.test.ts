/** If red: text that is injected again and again is not found, or priced wrongly. */
import { describe, expect, it } from "vitest";
import { compacted, DENSE, injected, prompt, request } from "../../../test/support/session-events.ts";
import type { SessionEvent } from "../../core/event.ts";
import { createRecording } from "../../measure/recording.ts";
import { findRepeatedInjections } from "./find-repeated-injections.ts";

const RULES = `Development rules: ${"keep functions small. ".repeat(20)}`;
const rules = { ...injected("attachment", RULES), label: "hook_additional_context" };
const step = (id: string) => request(id, 30_000, { model: DENSE });
const find = (...events: readonly SessionEvent[]) => findRepeatedInjections(createRecording(events));

describe("findRepeatedInjections", () => {
  it("[R147] prices every repetition in a window by the requests that carried it", () => {
    const [found, ...others] = find(
      ...[rules, prompt("one"), step("s1")],
      ...[rules, prompt("two"), step("s2")],
      ...[rules, prompt("three"), step("s3")],
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({ label: "hook_additional_context", repeats: 2, requests: 2 + 1 });
    expect(found?.start).toMatch(/^Development rules/);
    expect(found?.tokens).toBeGreaterThan(80);
    expect(found?.usd).toBeGreaterThan(0);
  });

  it("counts no text twice that a compaction took away in between", () => {
    expect(find(rules, prompt("one"), step("s1"), compacted(), rules, prompt("two"), step("s2"))).toEqual([]);
  });

  it("[R145] lets a short line pass, and what a person says twice", () => {
    const short = injected("reminder", "Be brief.");
    expect(find(short, prompt(RULES), step("s1"), short, prompt(RULES), step("s2"))).toEqual([]);
  });
});
