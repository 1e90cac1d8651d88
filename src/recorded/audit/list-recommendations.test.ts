import { describe, expect, it } from "vitest";
import { listRecommendations, type RecommendationInput, rankServers, type ServerUse } from "./list-recommendations.ts";

const input: RecommendationInput = {
  servers: [
    { name: "idle", tools: 20, tokens: 6000, calls: 0, sessions: 0 },
    { name: "rare", tools: 5, tokens: 900, calls: 2, sessions: 1 },
    { name: "busy", tools: 9, tokens: 3000, calls: 80, sessions: 15 },
  ],
  recordedSessions: 20,
  isWarned: false,
  hasAgents: false,
  longFiles: [],
  price: (tokens) => ({ usdPerMonth: tokens / 1000, isAtLeast: false }),
};

const tell = (change: Partial<RecommendationInput> = {}) => listRecommendations({ ...input, ...change });

describe("listRecommendations", () => {
  it("[R87] gives every recommendation its saving in tokens and dollars, the largest first", () => {
    expect(tell()).toEqual([
      {
        text: "Enable rare only where it is needed: 2 calls in 1 of 20 recorded sessions",
        savesTokens: 900,
        usdPerMonth: 0.9,
        isAtLeast: false,
      },
    ]);
  });

  it("[R83] recommends a specific subagent_type where there are agents", () => {
    const [advice] = tell({ servers: [], hasAgents: true });
    expect(advice).toMatchObject({ text: "Pass a specific agent type with every agent call", savesTokens: 0 });
  });

  it("[R84] prices the lines beyond the limit", () => {
    const [first] = tell({ servers: [], longFiles: [{ path: "CLAUDE.md", maxLines: 150, excessTokens: 800 }] });
    expect(first).toMatchObject({ savesTokens: 800, usdPerMonth: 0.8, isAtLeast: false });
    expect(first?.text).toContain("after line 149 of CLAUDE.md");
  });

  it("names a server only under a warning where no use is recorded", () => {
    expect(tell({ recordedSessions: 0 })).toEqual([]);
    expect(tell({ recordedSessions: 0, isWarned: true }).map(({ text }) => text)).toEqual([
      "Disable idle, if you can do without its 20 tools",
    ]);
  });
});

const server = (name: string, tools: number, calls = 0, more: Partial<ServerUse> = {}): ServerUse => ({
  name,
  tools,
  tokens: tools * 300,
  calls,
  sessions: calls > 0 ? 1 : 0,
  ...more,
});

describe("rankServers", () => {
  it("[R86] puts the server with most tools and least use first", () => {
    const ranked = rankServers([server("small", 3), server("busy", 40, 500), server("idle", 20), server("big", 60, 9)]);
    expect(ranked.map(({ name }) => name)).toEqual(["idle", "big", "small", "busy"]);
  });

  it("lets tokens decide between equals, then the name", () => {
    const ranked = rankServers([server("b", 4), server("a", 4), server("c", 4, 0, { tokens: 9000 })]);
    expect(ranked.map(({ name }) => name)).toEqual(["c", "a", "b"]);
  });
});
