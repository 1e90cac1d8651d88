/** If red: plimsoll install cannot see that its plugin is already on in Codex. */
import { describe, expect, it } from "vitest";
import { parseConfigEntries, renderConfigEntries } from "./codex.ts";

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
});
