/** If red: a client that is too old for the module gets it, or a new one gets the old hooks. */
import { describe, expect, it } from "vitest";
import { isVersionAtLeast } from "../../../hosts/claude-code/client-version.ts";
import { knowsEvent, parseVersion } from "./find-client.ts";

describe("the client's version", () => {
  it.each([
    ["2.1.325 (Claude Code)", "2.1.325"],
    ["claude 1.0.9\n", "1.0.9"],
    ["not found", undefined],
  ])("is read from %j", (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });

  it.each([
    ["2.1.305", "2.1.305", true],
    ["2.1.304", "2.1.305", false],
    ["2.2.0", "2.1.305", true],
    ["2.1.97", "2.1.139", false],
    ["10.0.0", "2.1.305", true],
  ])("%s is at least %s: %s", (version, least, answer) => {
    expect(isVersionAtLeast(version, least)).toBe(answer);
  });

  it.each([
    ["1.0.61", "SessionStart", false],
    ["1.0.62", "SessionStart", true],
    ["2.1.75", "PostCompact", false],
    ["2.1.100", "PostToolUseFailure", false],
    ["2.1.101", "PostToolUseFailure", true],
  ])("%s takes %s in its settings: %s", (version, event, answer) => {
    expect(knowsEvent(version, event)).toBe(answer);
  });
});
