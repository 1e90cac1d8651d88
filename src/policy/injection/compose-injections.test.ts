/** If red: what is added to a prompt is longer than the client takes, or dropped without a word. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeInjections, describeInjection, type Injection, measureRoom } from "./compose-injections.ts";
import { type Injected, priceInjection, sumInjections, totalInjections } from "./price-injections.ts";

const mode: Injection = { what: "mode", why: "startup", text: "be brief" };

describe("describeInjection", () => {
  it("[R145] weighs an injection by the tokenizer of the model that carries it", () => {
    const text = "words ".repeat(200);
    const classic = describeInjection({ ...mode, text }, "claude-sonnet-4-5");
    const dense = describeInjection({ ...mode, text }, "claude-opus-5-5");
    expect(classic).toMatchObject({ kind: "injected", what: "mode", why: "startup", characters: 1200 });
    expect(classic.kind === "injected" && dense.kind === "injected" && dense.tokens > classic.tokens).toBe(true);
  });
});

describe("composeInjections", () => {
  it("leaves out whole what has no room, and tells what it left out", () => {
    const rules: Injection = { what: "rules", why: "startup", text: "r".repeat(100) };
    const { text, injected, leftOut } = composeInjections([mode, rules, { ...mode, text: "" }], 50);
    expect({ text, injected, leftOut }).toEqual({ text: "be brief", injected: [mode], leftOut: [rules] });
  });

  it("is never longer than the client takes, and counts room as it does", () => {
    const any = fc.string({ maxLength: 400 }).map((text): Injection => ({ ...mode, text }));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 10 }), fc.nat(1000), (injections, limit) => {
        expect(composeInjections(injections, limit).text.length).toBeLessThanOrEqual(limit);
        const room = measureRoom(
          injections.map(({ text }) => text),
          limit,
        );
        const last: Injection = { ...mode, text: "x".repeat(room) };
        if (room > 0) expect(composeInjections([...injections, last], limit).leftOut).toEqual([]);
      }),
    );
  });
});

describe("priceInjection", () => {
  const injected: Injected = { what: "mode", atMs: 100, characters: 4000, tokens: 1_000_000, model: "claude-opus-4-6" };
  const requests = [50, 110, 120, 130, 140].map((atMs) => ({ atMs, model: "claude-opus-4-6" }));

  it("[R145] writes it once and reads it in every later request, until a compaction takes it away", () => {
    expect(priceInjection(injected, { requests, compactionsMs: [] })).toMatchObject({
      requests: 4,
      usd: 6.25 + 3 * 0.5,
    });
    expect(priceInjection(injected, { requests, compactionsMs: [60, 125, 135] })).toMatchObject({
      requests: 2,
      usd: 6.25 + 0.5,
    });
    expect(priceInjection(injected, { requests: [], compactionsMs: [] })).toMatchObject({ requests: 0, usd: 0 });
  });

  it("counts what only the summariser reads once", () => {
    const priced = priceInjection({ ...injected, what: "preservation" }, { requests, compactionsMs: [] });
    expect(priced).toMatchObject({ requests: 1, usd: 6.25 });
  });

  it("makes up no price for a model that nobody knows", () => {
    const priced = priceInjection(
      { ...injected, model: "gpt-6" },
      { requests: [{ atMs: 110, model: "gpt-6" }], compactionsMs: [] },
    );
    expect(priced).toMatchObject({ requests: 1, usd: 0, isPriced: false });
  });

  it("adds up by what was injected, the dearest first", () => {
    const one = priceInjection(injected, { requests, compactionsMs: [] });
    const two = priceInjection({ ...injected, what: "rules", tokens: 10 }, { requests, compactionsMs: [] });
    expect(totalInjections([two, one, two]).map(({ what, times, tokens }) => [what, times, tokens])).toEqual([
      ["mode", 1, 1_000_000],
      ["rules", 2, 20],
    ]);
    expect(sumInjections("total", [one, two])).toMatchObject({ what: "total", times: 2, requests: 8 });
  });
});
