/** If red: the scripted API caches otherwise than the real one, so cache figures measured against it are worth nothing. */
import { describe, expect, it } from "vitest";
import { type Message, type MessagesBody, parseMessagesBody } from "./messages-body.ts";
import { createPromptCache, type ReportedUsage } from "./prompt-cache.ts";
import { assistant } from "./send-message.ts";

const MINUTE_MS = 60_000;

function bodyOf(messages: readonly Message[]): MessagesBody {
  const body = parseMessagesBody({
    model: "claude-sonnet-4-6",
    tools: [{ name: "Read", description: "t".repeat(3200) }],
    system: [{ type: "text", text: "s".repeat(3200), cache_control: { type: "ephemeral" } }],
    messages,
  });
  if (typeof body === "string") throw new Error(body);
  return body;
}

function user(words: string, ttl?: string): Message {
  const control = ttl === undefined ? { type: "ephemeral" } : { type: "ephemeral", ttl };
  return { role: "user", content: [{ type: "text", text: words, cache_control: control }] };
}

/** Two requests of one conversation, the second after a pause. */
function countAfter(pauseMs: number, ttl?: string): readonly [ReportedUsage, ReportedUsage] {
  let nowMs = 0;
  const cache = createPromptCache({ scale: 1, nowMs: () => nowMs });
  const first = user("x".repeat(6400), ttl);
  const before = cache.count(bodyOf([first]));
  nowMs += pauseMs;
  return [before, cache.count(bodyOf([first, assistant("Done."), user("go on", ttl)]))];
}

function contextOf(usage: ReportedUsage): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}

describe("createPromptCache", () => {
  it("reads all that the request before wrote within five minutes", () => {
    const [before, after] = countAfter(5 * MINUTE_MS);
    expect(after.cache_read_input_tokens).toBe(before.cache_creation_input_tokens);
  });

  it("reads only tools and system prompt after more than five minutes, and writes the rest again", () => {
    const [before, after] = countAfter(5 * MINUTE_MS + 1);
    const system = createPromptCache({ scale: 1 }).count(bodyOf([])).cache_creation_input_tokens;
    expect(after.cache_read_input_tokens).toBe(system);
    expect(after.cache_creation_input_tokens).toBeGreaterThan(before.cache_creation_input_tokens - system);
  });

  it("reports the same context whether or not the cache was missed", () => {
    const [, warm] = countAfter(MINUTE_MS);
    const [, cold] = countAfter(60 * MINUTE_MS);
    expect(contextOf(cold)).toBe(contextOf(warm));
  });

  it("keeps for an hour what a breakpoint asks to keep for an hour", () => {
    const [before, after] = countAfter(59 * MINUTE_MS, "1h");
    expect(after.cache_read_input_tokens).toBe(before.cache_creation_input_tokens);
    const [, late] = countAfter(61 * MINUTE_MS, "1h");
    expect(late.cache_read_input_tokens).toBeLessThan(before.cache_creation_input_tokens);
  });

  it("lets every request keep alive what it reads", () => {
    let nowMs = 0;
    const cache = createPromptCache({ scale: 1, nowMs: () => nowMs });
    const first = user("x".repeat(6400));
    const written = cache.count(bodyOf([first])).cache_creation_input_tokens;
    for (let round = 0; round < 4; round += 1) {
      nowMs += 4 * MINUTE_MS;
      expect(cache.count(bodyOf([first])).cache_read_input_tokens).toBe(written);
    }
  });

  it("forgets nothing where no clock is given", () => {
    const cache = createPromptCache({ scale: 1 });
    const { cache_creation_input_tokens: written } = cache.count(bodyOf([user("hi")]));
    expect(cache.count(bodyOf([user("hi")])).cache_read_input_tokens).toBe(written);
  });

  it("does not look at the block that names the client: it changes with the conversation's first words", () => {
    const cache = createPromptCache({ scale: 1 });
    const [first, second] = ["4ee", "b07"].map((suffix) => {
      const body = bodyOf([user("x".repeat(3200))]);
      const billing = { type: "text", text: `x-anthropic-billing-header: cc_version=2.1.325.${suffix};` };
      return cache.count({ ...body, system: [billing, ...body.system] });
    });

    expect(first?.cache_read_input_tokens).toBe(0);
    expect(second?.cache_creation_input_tokens).toBe(0);
  });

  it("weighs by another's scales where it is given some, and lets the system prompt expire where it is told to", () => {
    let nowMs = 0;
    const cache = createPromptCache({ scale: 1, nowMs: () => nowMs, weigher: () => () => 1000, expiresWhole: true });
    const before = cache.count(bodyOf([user("x")]));
    nowMs += 6 * MINUTE_MS;
    const after = cache.count(bodyOf([user("x")]));

    expect(before.cache_creation_input_tokens).toBe(3000);
    expect(after).toMatchObject({ cache_read_input_tokens: 0, cache_creation_input_tokens: 3000 });
  });

  it("keeps what stands before a breakpoint that asks for an hour, and bills that part by the hour", () => {
    let nowMs = 0;
    const cache = createPromptCache({ scale: 1, nowMs: () => nowMs, weigher: () => () => 1000, expiresWhole: true });
    const split = (): MessagesBody => {
      const body = bodyOf([user("x")]);
      const system = [{ type: "text", text: "rules", cache_control: { type: "ephemeral", ttl: "1h" } }];
      return { ...body, tools: [], system };
    };
    const before = cache.count(split());
    nowMs += 59 * MINUTE_MS;
    const after = cache.count(split());
    nowMs += 61 * MINUTE_MS;

    expect(before.cache_creation).toEqual({ ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 1000 });
    expect(after).toMatchObject({ cache_read_input_tokens: 1000, cache_creation_input_tokens: 1000 });
    expect(cache.count(split()).cache_read_input_tokens).toBe(0);
  });

  it("keeps standing when a tool is found that waited behind a search", () => {
    const cache = createPromptCache({ scale: 1 });
    const body = bodyOf([user("x".repeat(3200))]);
    cache.count(body);
    const found = { name: "WebFetch", description: "w".repeat(3200), defer_loading: true };
    const after = cache.count({ ...body, tools: [...body.tools, found] });

    expect(after.cache_creation_input_tokens).toBe(0);
  });
});
