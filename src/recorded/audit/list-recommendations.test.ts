/** If red: the audit recommends the smaller saving first, or one that saves nothing. */
import { describe, expect, it } from "vitest";
import { auditedServer, definition, instruction, startupContext } from "../../../test/support/startup-context.ts";
import { listRecommendations, rankServers } from "./list-recommendations.ts";
import type { AuditedServer } from "./startup-context.ts";

const used = startupContext({
  servers: [
    auditedServer("idle", { tools: 20, tokens: 6000 }),
    auditedServer("rare", { tools: 5, tokens: 900, calls: 2, sessions: 1 }),
    auditedServer("busy", { tools: 9, tokens: 3000, calls: 80, sessions: 15 }),
    auditedServer("uncounted", { status: "notMeasured", calls: 2, sessions: 1 }),
  ],
});

const recommend = (context = used, basis: { recordedSessions?: number; isWarned?: boolean } = {}) =>
  listRecommendations(context, { recordedSessions: 20, isWarned: false, ...basis });

describe("listRecommendations", () => {
  it("[R87] gives every recommendation its saving in tokens and dollars, the largest first", () => {
    expect(recommend()).toEqual([
      {
        text: "Enable rare only where it is needed: 2 calls in 1 of 20 recorded sessions",
        savesTokens: 900,
        usdPerMonth: 0.9,
        isAtLeast: false,
      },
    ]);
  });

  it("[R83] recommends a specific subagent_type where there are agents", () => {
    const [advice] = recommend(startupContext({}, { agents: [definition("reviewer")] }));
    expect(advice).toMatchObject({ text: "Pass a specific agent type with every agent call", savesTokens: 0 });
  });

  it("[R84] prices the lines beyond the limit", () => {
    const instructions = [instruction({ lines: 150, excessTokens: 800 }), instruction({ lines: 149 })];
    const [first, ...more] = recommend(startupContext({}, { instructions }));
    expect(first).toMatchObject({ savesTokens: 800, usdPerMonth: 0.8, isAtLeast: false });
    expect(first?.text).toContain("after line 149 of CLAUDE.md");
    expect(more).toEqual([]);
  });

  it("names a server only under a warning where no use is recorded", () => {
    expect(recommend(used, { recordedSessions: 0 })).toEqual([]);
    expect(recommend(used, { recordedSessions: 0, isWarned: true }).map(({ text }) => text)).toEqual([
      "Disable idle, if you can do without its 20 tools",
    ]);
  });
});

const server = (name: string, tools: number, calls = 0, tokens = tools * 300): AuditedServer =>
  auditedServer(name, { tools, tokens, calls });

describe("rankServers", () => {
  it("[R86] puts the server with most tools and least use first", () => {
    const ranked = rankServers([server("small", 3), server("busy", 40, 500), server("idle", 20), server("big", 60, 9)]);
    expect(ranked.map(({ name }) => name)).toEqual(["idle", "big", "small", "busy"]);
  });

  it("lets tokens decide between equals, then the name", () => {
    const ranked = rankServers([server("b", 4), server("a", 4), server("c", 4, 0, 9000)]);
    expect(ranked.map(({ name }) => name)).toEqual(["c", "a", "b"]);
  });
});
