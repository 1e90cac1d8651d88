/** If red: the startup context is given a size that no request confirms. */
import { describe, expect, it } from "vitest";
import { injected, prompt, request, result } from "../../../test/support/session-events.ts";
import {
  auditedServer,
  definition,
  firstRequest,
  instruction,
  startupContext,
} from "../../../test/support/startup-context.ts";
import { createRecording } from "../../measure/recording.ts";
import {
  decideLoading,
  estimateByFormula,
  findFirstRequest,
  listParts,
  type StartupContext,
} from "./startup-context.ts";

const shape = (change: Partial<StartupContext>): readonly string[] => {
  const context = startupContext(
    {
      servers: [auditedServer("files", { loadedTokens: 9000, deferredTokens: 300, instructionTokens: 40 })],
      ...change,
    },
    {
      agents: [definition("reviewer", { listingTokens: 100 })],
      skills: [definition("release", { listingTokens: 200 })],
      instructions: [instruction({ tokens: 1500 })],
    },
  );
  return listParts(context, { sections: [], tools: [] }).map(
    ({ part, tokens, source }) => `${part} ${tokens} ${source}`,
  );
};

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
    expect(shape({ loading: "deferred", first: { ...firstRequest, listings } })).toEqual([
      "names of deferred tools 700 recorded",
      "MCP server instructions 40 servers",
      "agent listing 100 files",
      "skill listing 8000 recorded",
      "instruction files and rules 1500 files",
      "hook_success 900 recorded",
    ]);
  });
});

describe("estimateByFormula", () => {
  it("[R86] counts 500 a tool, 300 an agent, and the instructions as they are", () => {
    const servers = [auditedServer("a", { tools: 15 }), auditedServer("b", { tools: 25 })];
    const agents = ["a", "b", "c", "d", "e"].map((name) => definition(name));
    const instructions = [instruction({ tokens: 1000 }), instruction({ tokens: 234 })];
    const context = startupContext({ servers }, { agents, instructions });
    expect(estimateByFormula(context)).toBe(40 * 500 + 5 * 300 + 1234);
  });
});

const first = (tokens: number) => request("s1", tokens);

describe("findFirstRequest", () => {
  it("[R86] takes the person's words off the first recorded usage: the rest is the baseline", () => {
    const found = findFirstRequest(createRecording([prompt("Fix the title, please."), first(41_400)]));
    expect(found?.contextTokens).toBe(41_400);
    expect(found?.promptTokens).toBeGreaterThan(5);
    expect(found?.baseTokens).toBe(41_400 - (found?.promptTokens ?? 0));
  });

  it("[R77] knows from the record which tools were sent by name alone", () => {
    const names = "Bash\nmcp__files__read\nmcp__files__write";
    const listing = { ...injected("attachment", names), label: "deferred_tools_delta" };
    const found = findFirstRequest(createRecording([listing, prompt("Go."), first(20_000)]));
    expect(found?.deferredTools).toEqual(["mcp__files__read", "mcp__files__write"]);
    expect(found?.listings.deferred_tools_delta).toBeGreaterThan(5);
    expect(decideLoading(found, 9000)).toBe("deferred");
  });

  it("says nothing of a record that begins in the middle, or without usage", () => {
    expect(findFirstRequest(createRecording([result("Read", "t1", "old"), first(20_000)]))).toBeUndefined();
    expect(findFirstRequest(createRecording([prompt("Go.")]))).toBeUndefined();
  });
});

describe("decideLoading", () => {
  const found = findFirstRequest(createRecording([prompt("Go."), first(20_000)]));

  it("[R77] cannot hold a request to have carried more than it weighed", () => {
    expect(decideLoading(found, 30_000)).toBe("deferred");
    expect(decideLoading(found, 10_000)).toBe("loaded");
    expect(decideLoading(undefined, 10_000)).toBe("unknown");
  });
});
