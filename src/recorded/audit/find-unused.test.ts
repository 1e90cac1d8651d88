/** If red: a tool that sessions use is called unused, or one that costs every request is not found. */
import { describe, expect, it } from "vitest";
import { findUnused, isIdle, LEAST_SESSIONS, type ListedItem, type Offers, parseListing } from "./find-unused.ts";

const options = {
  tokenizer: "dense",
  price: (tokens: number) => ({ usdPerMonth: tokens, isAtLeast: false }),
} as const;

/** Every item listed in so many sessions, the newest included. */
function offer(items: readonly ListedItem[], sessions: number, used: readonly string[] = []): Offers {
  const listed = new Map(items.map((item) => [`${item.kind} ${item.name}`, { ...item, sessions }]));
  return { listed, current: new Set(listed.keys()), used: new Set(used) };
}

const tools = parseListing("deferred_tools_delta", "Bash\nmcp__idle__a\nmcp__idle__b\nmcp__busy__x\nmcp__busy__y");

describe("parseListing", () => {
  it("takes agents and skills with what is said of them, and tools of servers by name", () => {
    expect(tools.map(({ name }) => name)).toEqual(["mcp__idle__a", "mcp__idle__b", "mcp__busy__x", "mcp__busy__y"]);
    const text = "The following skills are available:\n\n- rig: Rigs.\n  In two lines.\n- bare\n- plug:sail: Sails.";
    expect(parseListing("skill_listing", text)).toEqual([
      { kind: "skill", name: "rig", text: "- rig: Rigs.\n  In two lines." },
      { kind: "skill", name: "bare", text: "- bare" },
      { kind: "skill", name: "plug:sail", text: "- plug:sail: Sails." },
    ]);
    expect(parseListing("agent_listing_delta", "- scribe: Writes.")).toMatchObject([{ kind: "agent", name: "scribe" }]);
    expect(parseListing("todo_reminder", "- scribe: Writes.")).toEqual([]);
  });
});

describe("findUnused", () => {
  it("[R86] names a server that no session called as one, and single tools of a server that is called", () => {
    const found = findUnused(offer(tools, 12, ["tool mcp__busy__x"]), options);
    expect(found.map(({ kind, name, sessions }) => `${kind} ${name} ${sessions}`)).toEqual([
      "server mcp__idle 12",
      "tool mcp__busy__y 12",
    ]);
    expect(found[0]?.tokens).toBe(found[0]?.usdPerMonth);
    expect(found[0]?.tokens).toBeGreaterThan(found[1]?.tokens ?? 0);
  });

  it("says nothing below ten sessions, of what is gone already, and of Plimsoll's own", () => {
    expect(findUnused(offer(tools, LEAST_SESSIONS - 1), options)).toEqual([]);
    expect(findUnused(offer(tools, LEAST_SESSIONS), options)).toHaveLength(2);
    expect(findUnused({ ...offer(tools, 20), current: new Set() }, options)).toEqual([]);
    const own = parseListing("deferred_tools_delta", "mcp__plugin_plimsoll_plimsoll__recall\nmcp__plimsoll__now");
    expect(findUnused(offer(own, 20), options)).toEqual([]);
  });
});

describe("isIdle", () => {
  const text = "Run `npm test`, `make sail`, `docs/a.md`, `docs/b.md` and `rig --all`.";

  it("holds only where nothing that is named was used", () => {
    expect(isIdle(text, ['{"command":"ls"}', '{"path":"docs/c.md"}'])).toBe(true);
    expect(isIdle(text, ['{"command":"ls"}', '{"path":"/shop/docs/b.md"}'])).toBe(false);
  });

  it("says nothing of prose, and of few names", () => {
    expect(isIdle("Be kind.", [])).toBe(false);
    expect(isIdle("Run `npm test`.", [])).toBe(false);
  });
});
