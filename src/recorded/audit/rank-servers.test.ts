import { describe, expect, it } from "vitest";
import { adviseServer, rankServers, type ServerUse } from "./rank-servers.ts";

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

describe("adviseServer", () => {
  it("[R86] advises against what was never called, and to narrow what is called rarely", () => {
    expect(adviseServer(server("x", 9), 20)).toBe("disable");
    expect(adviseServer(server("x", 9, 5, { sessions: 1 }), 20)).toBe("scope");
    expect(adviseServer(server("x", 9, 5, { sessions: 2 }), 20)).toBe("keep");
  });

  it("advises nothing where nothing is recorded", () => {
    expect(adviseServer(server("x", 9), 0)).toBe("keep");
  });
});
