/** If red: compact goes below or stays above the target that the caller gave, and breaks the cache too often. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Message } from "../core/message.ts";
import { compact, createCompactor } from "./compactor.ts";
import { createConversation, createMemoryStore } from "./create-conversation.ts";

const line = (day: number, at: number): string => `day ${day} line ${at}: wind from the west, ${(day * at) % 97} waves`;
const output = (day: number, lines = 60): string => Array.from({ length: lines }, (_, at) => line(day, at)).join("\n");

function history(days: number, lines = 60) {
  const work = Array.from({ length: days }, (_, day) => [
    { role: "assistant", content: [{ type: "tool_use", id: `c${day}`, name: "log", input: { day } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${day}`, content: output(day, lines) }] },
  ]);
  return [{ role: "user", content: "Read the logs." }, ...work.flat()];
}

describe("a load line", () => {
  it("is what is left: the oldest goes, and only as far as a step that pays needs", async () => {
    const messages: readonly object[] = history(80);
    const { messages: light, target, report } = await compact(messages, { targetTokens: 60_000 });
    expect(report.tokensBefore).toBeGreaterThan(75_000);
    expect(target).toMatchObject({ askedTokens: 60_000, why: "" });
    expect(target.reachedTokens).toBeLessThanOrEqual(60_000);
    expect(target.reachedTokens).toBeGreaterThan(30_000);
    const newest = messages.slice(-60);
    for (const message of newest) expect(light).toContain(message);
    expect(light).not.toContain(messages[2]);
  });

  it("keeps the newest tokens whole that the caller names", async () => {
    const messages: readonly object[] = history(80);
    const { messages: light, target } = await compact(messages, { targetTokens: 20_000, keepTokens: 15_000 });
    for (const message of messages.slice(-24)) expect(light).toContain(message);
    expect(target.reachedTokens).toBeLessThanOrEqual(20_000);
    await expect(compact(messages, { targetTokens: 20_000, keepTokens: 20_000 })).rejects.toThrow("keepTokens must be");
  });

  /** Each exchange has 1,000 tokens, whatever is in it. */
  const countTokens = ({ blocks }: Message): number =>
    blocks.reduce((sum, { kind }) => sum + (kind === "toolResult" ? 1000 : kind === "text" ? 10 : 0), 0);

  it.each([
    [14_999, 15],
    [15_000, 15],
    [15_001, 16],
  ])("leaves the newest %i tokens whole and no more: %i exchanges of 1,000", async (keepTokens, kept) => {
    const messages: readonly object[] = history(40);
    for (const policy of ["balanced", "thrifty", "off"] as const) {
      const { messages: light } = await compact(messages, { targetTokens: 17_000, keepTokens, policy, countTokens });
      const isWhole = messages.map((message) => light.includes(message));
      expect(messages.length - 1 - isWhole.lastIndexOf(false), policy).toBe(2 * kept);
    }
  });

  it("folds nothing of the newest tokens, even where the line cannot be reached without", async () => {
    const messages: readonly object[] = history(40, 600);
    const { messages: light, target } = await compact(messages, { targetTokens: 15_500, keepTokens: 15_000 });
    expect(target.why).toContain("which `keepTokens` keeps whole");
    for (const message of messages.slice(-4)) expect(light).toContain(message);
  });

  it("says why more is left than was asked for", async () => {
    const long = [...history(2), { role: "user", content: "and this\n".repeat(9_000) }];
    expect((await compact(long, { targetTokens: 5_000 })).target.why).toContain("tokens are the last exchange");
  });

  it.each([
    { policy: "balanced" },
    { policy: "off" },
    { keepTokens: 10_000, targetTokens: 60_000, lines: 400 },
  ] as const)("changes the prefix in few large steps: %o", async ({ lines = 60, targetTokens = 20_000, ...given }) => {
    const compactor = createCompactor({ targetTokens, ...given });
    let [before, breaks]: [readonly string[], number] = [[], 0];
    const whole: readonly object[] = history(60, lines);
    for (let many = 1; many <= whole.length; many += 2) {
      const { messages, report } = await compactor.prepare(whole.slice(0, many));
      expect(report.tokensAfter).toBeLessThanOrEqual(targetTokens);
      const said = messages.map((message) => JSON.stringify(message));
      if (before.some((text, at) => said[at] !== text)) breaks++;
      before = said;
    }
    expect(breaks).toBeGreaterThan(0);
    expect(breaks).toBeLessThanOrEqual(8);
  });
});

describe("two thousand conversations", () => {
  it("stay within the memory of their store, and one that was forgotten starts anew", async () => {
    const store = createMemoryStore({ maxBytes: 2_000_000 });
    const open = (id: number) => createConversation({ id: `c${id}`, store, targetTokens: 3_000 });
    for (let id = 0; id < 200; id++) await open(id).prepare(history(8));
    expect(await open(0).hashes()).toEqual([]);
    const newest = await open(199).hashes();
    expect(newest.length).toBeGreaterThan(0);
    expect(
      await open(0)
        .prepare(history(8))
        .then(({ report }) => report.tokensAfter),
    ).toBeLessThanOrEqual(3_000);
  });

  it("hold nothing of their last request while they stay open", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const conversation = createConversation({ id: "open", store: createMemoryStore(), targetTokens: 3_000 });
    const send = async (): Promise<WeakRef<object>> => {
      const messages = history(8);
      await conversation.prepare(messages);
      return new WeakRef(messages);
    };
    const sent = await send();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(sent.deref()).toBeUndefined();
    expect((await conversation.hashes()).length).toBeGreaterThan(0);
  });

  it("refuses what another process decided in the meantime, and goes on from there", async () => {
    const store = createMemoryStore();
    const options = { id: "one", store, targetTokens: 10_000, policy: "off" } as const;
    const [first, second] = [createConversation(options), createConversation(options)];
    const sent = await Promise.all([first.prepare(history(30)), second.prepare(history(30))]);
    expect(sent.filter(({ failure }) => failure?.includes("another instance"))).toHaveLength(1);
    const later = await second.prepare(history(30));
    expect(JSON.stringify(later.messages)).toBe(JSON.stringify((await first.prepare(history(30))).messages));
  });
});
