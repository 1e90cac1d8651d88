/** If red: a startup context above its limits is not warned of. */
import { describe, expect, it } from "vitest";
import {
  auditedServer,
  definition,
  firstRequest,
  instruction,
  startupContext,
} from "../../../test/support/startup-context.ts";
import { findBudgetWarnings } from "./find-budget-warnings.ts";
import type { AuditedServer, WeighedFiles } from "./startup-context.ts";

const listServers = (count: number, tools: number): readonly AuditedServer[] =>
  Array.from({ length: count }, (_, index) => auditedServer(`server-${index}`, { tools: index === 0 ? tools : 0 }));

const calm = startupContext(
  { servers: listServers(9, 79), first: firstRequest },
  {
    instructions: [instruction({ lines: 149, tokens: 2000 })],
    skills: [definition("release", { bodyTokens: 3000 })],
    agents: [definition("reviewer", { listingTokens: 400 })],
  },
);

const kinds = (change: { readonly servers?: readonly AuditedServer[]; readonly files?: Partial<WeighedFiles> }) =>
  findBudgetWarnings({ ...calm, ...change, files: { ...calm.files, ...change.files } }, 30_000).map(({ rule }) => rule);

describe("findBudgetWarnings", () => {
  it("says nothing at the last value of every limit", () => {
    expect(kinds({})).toEqual([]);
  });

  it("[R81] warns at 10 servers", () => {
    expect(kinds({ servers: listServers(10, 79) })).toEqual(["server-count"]);
  });

  it("[R82] warns at 80 tools", () => {
    expect(kinds({ servers: listServers(9, 80) })).toEqual(["tool-count"]);
  });

  it("[R84] warns at 150 lines, and says where the detail goes", () => {
    const files = { ...calm.files, instructions: [instruction({ lines: 150, tokens: 100 })] };
    const [warning] = findBudgetWarnings({ ...calm, files }, 30_000);
    expect(warning).toMatchObject({
      what: "the file has 150 lines; fewer than 150 are recommended",
      evidence: { path: "CLAUDE.md", line: 150 },
    });
    expect(warning?.fix).toContain("move detail to files in .plimsoll/");
  });

  it("[R79] warns of a short file that is heavy", () => {
    expect(kinds({ files: { instructions: [instruction({ lines: 10, tokens: 2001 })] } })).toEqual([
      "instruction-tokens",
    ]);
  });

  it("[R80] warns of a skill above its table", () => {
    expect(kinds({ files: { skills: [definition("release", { bodyTokens: 3001 })] } })).toEqual(["skill-tokens"]);
  });

  it("[R78] warns of an agent's description above its table", () => {
    expect(kinds({ files: { agents: [definition("reviewer", { listingTokens: 401 })] } })).toEqual(["agent-tokens"]);
  });

  it("[R86] warns above 15 % of the window", () => {
    const [guess] = findBudgetWarnings({ ...calm, first: undefined }, 30_001);
    expect(guess?.what).toContain("an estimated 15.0 % of the window is used");
    const [warning] = findBudgetWarnings(calm, 30_001);
    expect(warning).toMatchObject({
      rule: "context-budget",
      what: "Context Budget Warning: 15.0 % of the window is used before you type",
    });
  });
});
