import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../../../test/support/depth.ts";
import { keepsLines, parseConfigEntries, renderConfigEntries } from "./codex.ts";

const OWN = `# mine
model = "gpt-5.6" # for now

[tui]
notifications = true
`;

describe("Codex's config.toml", () => {
  it("tells where our marketplace lies and whether the plugin is on, as Codex writes it", () => {
    expect(parseConfigEntries(`${OWN}\n${renderConfigEntries('/opt/a "b"/plimsoll')}`)).toEqual({
      source: '/opt/a "b"/plimsoll',
      isEnabled: true,
    });
    expect(parseConfigEntries(renderConfigEntries("/x").replace("true", "false")).isEnabled).toBe(false);
    expect(parseConfigEntries("[marketplaces.plimsoll]\nsource = '/literal'\n[plugins.other]\nenabled = true")).toEqual(
      {
        source: "/literal",
        isEnabled: false,
      },
    );
    expect(parseConfigEntries(OWN)).toEqual({ source: undefined, isEnabled: false });
  });

  it("is known to hold every line of the person's, wherever ours came in or went out", () => {
    const whole = `${OWN}\n${renderConfigEntries("/x")}\n# last words\n[other]\na = 1\n`;
    const without = `${OWN}\n# last words\n[other]\na = 1\n`;
    expect(keepsLines(OWN, `${OWN}\n${renderConfigEntries("/x")}`)).toBe(true);
    expect(keepsLines(whole, without)).toBe(true);
    expect(keepsLines(without, whole)).toBe(true);
  });

  it("is known to have lost any one of them", () => {
    const lines = fc.array(fc.constantFrom("# a", "a = 1", "[b]", "c = [", "]", "", "  # d"), { minLength: 1 });
    fc.assert(
      fc.property(lines, fc.nat(), (all, at) => {
        const gone = at % all.length;
        const after = [...all.slice(0, gone), ...all.slice(gone + 1), ...renderConfigEntries("/x").split("\n")];
        expect(keepsLines(all.join("\n"), all.join("\n"))).toBe(true);
        expect(keepsLines(all.join("\n"), after.join("\n"))).toBe(all[gone] === "");
      }),
      { numRuns: tries(200, 5000) },
    );
  });
});
