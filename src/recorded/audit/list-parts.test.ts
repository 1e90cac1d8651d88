import { describe, expect, it } from "vitest";
import { listParts, type PartsInput } from "./first-request.ts";

const input: PartsInput = {
  loading: "loaded",
  servers: { loadedTokens: 9000, deferredTokens: 300, instructionTokens: 40 },
  agentTokens: 100,
  skillTokens: 200,
  instructionTokens: 1500,
  memoryTokens: 0,
  listings: {},
};

const shape = (change: Partial<PartsInput>): readonly string[] =>
  listParts({ ...input, ...change }).map(({ part, tokens, source }) => `${part} ${tokens} ${source}`);

describe("listParts", () => {
  it("[R86] takes servers and files as they are where nothing is recorded", () => {
    expect(shape({})).toEqual([
      "MCP tool schemas 9000 servers",
      "MCP server instructions 40 servers",
      "agent listing 100 files",
      "skill listing 200 files",
      "instruction files and rules 1500 files",
    ]);
  });

  it("[R77] counts names alone where the client defers schemas", () => {
    expect(shape({ loading: "deferred" })[0]).toBe("names of deferred tools 300 servers");
  });

  it("[R86] lets the record speak where it does", () => {
    const listings = { deferred_tools_delta: 700, skill_listing: 8000, hook_success: 900 };
    expect(shape({ loading: "deferred", listings })).toEqual([
      "names of deferred tools 700 recorded",
      "MCP server instructions 40 servers",
      "agent listing 100 files",
      "skill listing 8000 recorded",
      "instruction files and rules 1500 files",
      "hook_success 900 recorded",
    ]);
  });
});
