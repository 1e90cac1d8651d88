/** If red: a project's settings switch off what protects the person. */
import { describe, expect, it } from "vitest";
import { parseSettings } from "./settings.ts";

describe("a project's settings", () => {
  it.each([
    [{ guard: false }, "guardsIgnored", true],
    [{ on: false }, "isOn", true],
  ] as const)("%j switches nothing off that protects the person", (project, field, expected) => {
    const { settings, warnings } = parseSettings([{}, project], 1);
    expect(settings[field]).toBe(expected);
    expect(warnings.join()).toContain("can only tighten");
  });

  it.each([
    [{ early: "off" }, { early: "price" }, "early", "off"],
    [{ early: "ask" }, { early: true }, "early", "ask"],
    [{ blockAtRed: true }, { blockAtRed: false }, "blocksAtRed", true],
    [{ packets: false }, { packets: true }, "sendsPackets", false],
  ] as const)("next to the person's %j do not loosen it with %j", (person, project, field, expected) => {
    const { settings, warnings } = parseSettings([person, project], 1);
    expect(settings[field]).toEqual(expected);
    expect(warnings.join()).toContain("can only tighten");
  });

  it.each([
    [{ guard: false }, { guard: true }, "guardsIgnored", true],
    [{ early: "price" }, { early: "off" }, "early", "off"],
    [{ blockAtRed: false }, { blockAtRed: true }, "blocksAtRed", true],
    [{}, { early: "ask" }, "early", "ask"],
    [{ compaction: "native" }, { compaction: "assisted" }, "compaction", "assisted"],
    [{ preview: "content" }, { preview: "classic" }, "preview", "classic"],
  ] as const)("next to the person's %j may say %j", (person, project, field, expected) => {
    const { settings, warnings } = parseSettings([person, project], 1);
    expect(settings[field]).toEqual(expected);
    expect(warnings).toEqual([]);
  });
});
