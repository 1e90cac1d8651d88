/** If red: a tool that sessions call is deferred, or an unused one keeps its schema in every request. */
import { describe, expect, it } from "vitest";
import {
  chooseDeferred,
  type DeferralTerms,
  renderDeferred,
  selectEvidence,
  type ToolRecord,
} from "./choose-deferred.ts";

const record = (
  requests: number,
  given: Partial<Record<"called" | "front" | "behind", readonly string[]>>,
): ToolRecord => ({
  requests,
  called: new Set(given.called ?? []),
  offered: new Set([...(given.front ?? []), ...(given.behind ?? [])]),
  sizes: new Map((given.front ?? []).map((name) => [name, name.length * 100])),
});
const many = (count: number, one: ToolRecord): readonly ToolRecord[] => Array.from({ length: count }, () => one);
const choose = (records: readonly ToolRecord[], terms: Partial<DeferralTerms> = {}): readonly string[] =>
  chooseDeferred(records, { before: [], isKept: () => false, ...terms }).map(({ name }) => name);

describe("the evidence", () => {
  it.each([
    [20, 25, 20],
    [19, 100, undefined],
    [499, 1, undefined],
    [500, 1, 500],
    [40, 20, 25],
    [60, 0, undefined],
  ])("of %i sessions of %i requests each is the newest %s", (sessions, requests, taken) => {
    expect(selectEvidence(many(sessions, record(requests, {})))?.length).toBe(taken);
  });

  it("skips sessions without a request", () => {
    expect(selectEvidence([...many(10, record(0, {})), ...many(20, record(25, {}))])?.length).toBe(20);
  });
});

describe("what is deferred", () => {
  it("is every tool that no session called, the largest first", () => {
    const records = [
      record(25, { front: ["Bash", "Agent", "Workflow"], called: ["Bash"] }),
      ...many(19, record(25, {})),
    ];
    expect(choose(records)).toEqual(["Workflow", "Agent"]);
  });

  it("is nothing that one session called, or that is to stay in front", () => {
    const records = [...many(19, record(25, { front: ["Agent", "Skill"] })), record(25, { called: ["Agent"] })];
    expect(choose(records)).toEqual(["Skill"]);
    expect(choose(records, { isKept: (name) => name === "Skill" })).toEqual([]);
  });

  it("is a server's tool only if as many sessions were offered it as the evidence needs, in front or behind the search", () => {
    const front = record(25, { front: ["mcp__sea__tide"] });
    expect(choose([...many(19, front), record(25, {})])).toEqual([]);
    expect(choose([...many(19, front), record(25, { behind: ["mcp__sea__tide"] })])).toEqual(["mcp__sea__tide"]);
  });

  it("stays deferred once its schema is in no request any more, with the size that it had, and goes with its server", () => {
    const before = [{ name: "mcp__sea__tide", tokens: 700 }];
    const behind = many(20, record(25, { behind: ["mcp__sea__tide"] }));
    expect(chooseDeferred(behind, { before, isKept: () => false })).toEqual(before);
    expect(choose(many(20, record(25, {})), { before })).toEqual([]);
  });

  it("is nothing that the client itself keeps behind its search", () => {
    expect(choose(many(20, record(25, { behind: ["CronList"] })))).toEqual([]);
  });
});

describe("the line for the model", () => {
  it("names each tool, and is nothing where nothing is deferred", () => {
    expect(renderDeferred(["Agent", "Skill"])).toMatch(/select:.*: Agent, Skill$/);
    expect(renderDeferred([])).toBe("");
  });
});
