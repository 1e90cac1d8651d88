/** If red: the page cannot find the newest replay, or somebody else can read it. */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findLastReplay, keepLastReplay } from "./last-replay.ts";

describe("the newest replay", () => {
  it("is kept privately where the page finds it", () => {
    const environment = { HOME: mkdtempSync(path.join(tmpdir(), "plimsoll-test-")) };
    expect(findLastReplay(environment)).toBeUndefined();
    keepLastReplay(environment, '{"policies":[]}');
    const file = findLastReplay(environment) ?? "";
    expect(readFileSync(file, "utf8")).toBe('{"policies":[]}');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("costs nothing but itself where it cannot be kept", () => {
    const home = path.join(mkdtempSync(path.join(tmpdir(), "plimsoll-test-")), "file");
    writeFileSync(home, "");
    expect(() => keepLastReplay({ HOME: home }, "{}")).not.toThrow();
    expect(findLastReplay({ HOME: home })).toBeUndefined();
  });
});
