/** If red: an old client is treated as a new one and gets a module that it cannot run. */
import { describe, expect, it } from "vitest";
import { isOutputCountFinal, isVersionAtLeast } from "./client-version.ts";

describe("isVersionAtLeast", () => {
  it.each([
    ["2.1.93", "2.1.93"],
    ["2.1.100", "2.1.93"],
    ["2.2.0", "2.1.93"],
    ["3.0.0", "2.99.99"],
    ["2.1", "2.1.0"],
  ])("holds for %s and %s", (version, least) => {
    expect(isVersionAtLeast(version, least)).toBe(true);
  });

  it.each([
    ["2.1.9", "2.1.59"],
    ["2.0.128", "2.1.59"],
    ["1.9.99", "2.0.0"],
    ["2.1", "2.1.1"],
  ])("fails for %s and %s", (version, least) => {
    expect(isVersionAtLeast(version, least)).toBe(false);
  });

  it.each(["", "dev", "2.x.300", "2.1.325-beta"])("takes the unreadable version %j for older than any", (version) => {
    expect(isVersionAtLeast(version, "1.0.0")).toBe(false);
  });
});

describe("isOutputCountFinal", () => {
  it.each([
    { version: "2.1.58", stopReason: "end_turn", isFinal: false, why: "the count is that of the start of streaming" },
    { version: "2.1.59", stopReason: "", isFinal: false, why: "only the line with a stop reason is final" },
    { version: "2.1.59", stopReason: "tool_use", isFinal: true, why: "it is the line with a stop reason" },
    { version: "2.1.92", stopReason: "", isFinal: false, why: "only the line with a stop reason is final" },
    { version: "2.1.93", stopReason: "", isFinal: true, why: "every line carries the final count" },
    { version: "", stopReason: "end_turn", isFinal: false, why: "no version is told" },
  ])("is $isFinal for $version with stop reason '$stopReason': $why", ({ version, stopReason, isFinal }) => {
    expect(isOutputCountFinal(version, stopReason)).toBe(isFinal);
  });
});
