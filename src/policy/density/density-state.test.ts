import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDensityEvent, type DensityScope, type DensitySource, parseDensityEvent } from "./density-state.ts";

describe("output.density.set", () => {
  it("[R93] carries mode, scope and source, and nothing else", () => {
    expect(createDensityEvent("caveman", "session", "context-orange")).toEqual({
      type: "output.density.set",
      mode: "caveman",
      scope: "session",
      source: "context-orange",
    });
  });

  it("[R93] comes back from JSON as it was, for every mode, scope and source", () => {
    const anyScope: fc.Arbitrary<DensityScope> = fc.oneof(
      fc.constantFrom("session", "team"),
      fc.string({ minLength: 1, unit: "grapheme-ascii" }).map((id) => `workstream:${id}` as const),
    );
    const anySource: fc.Arbitrary<DensitySource> = fc.constantFrom(
      "context-orange",
      "context-red",
      "context-green",
      "user",
      "workstream",
      "team",
    );
    fc.assert(
      fc.property(fc.constantFrom("caveman", "normal"), anyScope, anySource, (mode, scope, source) => {
        const event = createDensityEvent(mode, scope, source);
        expect(parseDensityEvent(JSON.parse(JSON.stringify(event)))).toEqual(event);
      }),
    );
  });

  it.each([
    null,
    "output.density.set",
    {},
    { type: "output.density.set", mode: "caveman", scope: "session" },
    { type: "output.density.set", mode: "terse", scope: "session", source: "user" },
    { type: "output.density.set", mode: "caveman", scope: "planet", source: "user" },
    { type: "output.density.set", mode: "caveman", scope: "workstream:", source: "user" },
    { type: "output.density.set", mode: "caveman", scope: "session", source: "weather" },
    { type: "output.density.get", mode: "caveman", scope: "session", source: "user" },
  ])("[R93] is not %j", (value) => {
    expect(parseDensityEvent(value)).toBeUndefined();
  });
});
