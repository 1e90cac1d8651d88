/** If red: an agent built on compact loses originals, or its prefix changes with every request. */
import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { validateMessages } from "../../test/api/validate-messages.ts";
import type { Layer, Ledger } from "../core/layer.ts";
import { listDeclined } from "../core/pipeline.ts";
import { replaceBlock } from "../core/propose-edit.ts";
import { findHandles } from "../fold/marker.ts";
import { advanceCacheState, emptyCacheState } from "../models/economics/cache-state.ts";
import { createPricer } from "../models/economics/pricer.ts";
import { parseUsage } from "./anthropic/parse-usage.ts";
import { compact, createCompactor } from "./compactor.ts";

type Messages = Anthropic.MessageParam[];

/** So many exchanges, each with a result of 300 lines. */
function history(exchanges: number): Messages {
  const work = Array.from({ length: exchanges }, (_, index): Messages => {
    const id = `toolu_${index}`;
    const content = `line of output ${index}\n`.repeat(300);
    return [
      { role: "assistant", content: [{ type: "tool_use", id, name: "bash", input: { command: `make ${index}` } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ];
  });
  return [{ role: "user", content: "make it all" }, ...work.flat()];
}

const MODEL = "claude-sonnet-4-6";
const usable = "<summary>all made</summary><memories>- make, not npm</memories>";

describe("compact", () => {
  it("gives back the identical array below the line", async () => {
    const messages = history(2);
    const made = await compact(messages, { targetTokens: 100_000, policy: "off" });
    expect(made.messages).toBe(messages);
    expect(made).toMatchObject({ ledger: { decisions: [] }, originals: [], memories: [] });
  });

  it("brings the conversation below the line without a model, as a request the API takes", async () => {
    const messages = history(20);
    const before = structuredClone(messages);
    const made = await compact(messages, { targetTokens: 10_000, policy: "off" });
    expect(made.report.tokensBefore).toBeGreaterThan(30_000);
    expect(made.report.tokensAfter).toBeLessThanOrEqual(10_000);
    expect(validateMessages({ messages: JSON.parse(JSON.stringify(made.messages)) })).toEqual([]);
    expect(made.messages.at(-1)).toBe(messages.at(-1));
    expect(messages).toEqual(before);
  });

  it("hands over every original that a handle in the conversation names, before it leaves", async () => {
    const stored = new Map<string, string>();
    const made = await compact(history(20), {
      targetTokens: 10_000,
      store: (originals) => {
        for (const { handle, text } of originals) stored.set(handle, text);
      },
    });
    const handles = findHandles(JSON.stringify(made.messages));
    expect(handles.length).toBeGreaterThan(10);
    expect(handles.filter((handle) => !stored.has(handle))).toEqual([]);
    expect([...stored.values()]).toContain("line of output 3\n".repeat(300));
    expect(made.originals).toHaveLength(stored.size);
  });

  it("repeats itself byte for byte from a ledger that was saved, and adds at the end only", async () => {
    const first = await compact(history(20), { targetTokens: 10_000 });
    const ledger: Ledger = JSON.parse(JSON.stringify(first.ledger));
    const again = await compact(history(20), { targetTokens: 10_000, ledger });
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(first.messages));
    expect(again.originals).toEqual([]);
    const later = await compact(history(21), { targetTokens: 100_000, ledger });
    expect(JSON.stringify(later.messages.slice(0, first.messages.length))).toBe(JSON.stringify(first.messages));
  });

  it("takes nothing out when it cannot be stored, and says why", async () => {
    const messages = history(20);
    const made = await compact(messages, {
      targetTokens: 10_000,
      store: () => Promise.reject(new Error("disk full")),
    });
    expect(made.messages).toBe(messages);
    expect(made.failure).toContain("disk full");
    expect(made.ledger.decisions).toEqual([]);
    expect(made.report.tokensAfter).toBe(made.report.tokensBefore);
  });

  it("asks a model only when nothing cheaper is enough", async () => {
    let questions = 0;
    const summarise = async (): Promise<string> => {
      questions++;
      return usable;
    };
    await compact(history(20), { targetTokens: 10_000, summarise });
    expect(questions).toBe(0);
    const remembered: object[] = [];
    const made = await compact(history(20), {
      targetTokens: 600,
      summarise,
      remember: (memories) => void remembered.push(...memories),
    });
    expect(questions).toBe(1);
    expect(remembered).toEqual([{ topic: "General", text: "make, not npm" }]);
    expect(JSON.stringify(made.messages)).toContain("So far:\\nall made");
    expect(made.report.layers.at(-1)).toMatchObject({ layer: "autoCompact", applied: 1 });
  });

  it.each([
    ["down", () => Promise.reject(new Error("529")), "the summariser failed: 529"],
    ["talking nonsense", async () => "sure!", "the answer has no <summary>"],
    ["giving one part only", async () => "<summary>x</summary>", "the answer has no <memories>"],
    ["longer than what it summarises", async () => usable.replace("all", "all ".repeat(9_000)), /the summary has/],
  ])("keeps the history when the summariser is %s, after one attempt", async (_, answer, reason) => {
    let questions = 0;
    const without = await compact(history(20), { targetTokens: 600 });
    const made = await compact(history(20), {
      targetTokens: 600,
      summarise: () => {
        questions++;
        return answer();
      },
    });
    expect(questions).toBe(1);
    expect(made.messages).toEqual(without.messages);
    expect(made.report.layers.at(-1)?.failure).toMatch(reason);
    expect(made.state.failures).toBe(1);
  });

  it("sends the same bytes after a summary where the ledger is passed on, also what other layers decided before it", async () => {
    const made = await compact(history(20), { targetTokens: 600, summarise: async () => usable });
    expect(made.ledger.decisions.length).toBeGreaterThan(1);
    const again = await compact(history(20), { targetTokens: 1_000_000, policy: "off", ledger: made.ledger });
    expect(again.messages).toEqual(made.messages);
  });

  it("shows a summariser the conversation as it was sent, and as one text", async () => {
    const questions: Messages[] = [];
    await compact(history(20), {
      targetTokens: 600,
      summarise: async ({ messages, text, instructions }) => {
        questions.push(messages);
        expect(text).toContain("## user\nmake it all");
        expect(instructions).toContain("<memories>");
        return usable;
      },
    });
    expect(questions[0]?.[0]).toMatchObject({ role: "user" });
  });

  it("clears what the API's own editor has overwritten since", async () => {
    const edit = (id: string, input: Record<string, unknown>, content: string): Messages => [
      { role: "assistant", content: [{ type: "tool_use", id, name: "str_replace_based_edit_tool", input }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ];
    const messages: Messages = [
      { role: "user", content: "go" },
      ...edit("a", { command: "view", path: "/a.ts" }, "old line of code\n".repeat(45)),
      ...edit("b", { command: "create", path: "/a.ts", file_text: "new" }, "ok"),
      ...[1, 2, 3, 4].flatMap((n) => edit(`c${n}`, { command: "view", path: `/${n}` }, "x")),
    ];
    const made = await compact(messages, {
      targetTokens: 500,
      layers: { collapseExchanges: { leastTokens: Number.MAX_SAFE_INTEGER } },
    });
    expect(JSON.stringify(made.messages)).toContain("overwritten since by str_replace_based_edit_tool");
  });

  it("runs layers of the caller's own, and survives those that throw", async () => {
    const dropReminders: Layer = {
      name: "dropReminders",
      cost: 0,
      eager: true,
      plan: ({ messages }) =>
        messages.flatMap(({ blocks }) =>
          blocks.flatMap((block) =>
            block.kind === "text" && block.text === "reminder"
              ? [replaceBlock(block, { content: { text: "-" }, by: "dropReminders", reason: "", handles: [] })]
              : [],
          ),
        ),
    };
    const broken: Layer = {
      ...dropReminders,
      name: "broken",
      plan: () => {
        throw new Error("planted");
      },
    };
    const messages: Messages = [{ role: "user", content: [{ type: "text", text: "reminder" }] }];
    const made = await compact(messages, { targetTokens: 1_000, ownLayers: [broken, dropReminders] });
    expect(made.messages).toEqual([{ role: "user", content: [{ type: "text", text: "-" }] }]);
    expect(made.report.layers.find(({ layer }) => layer === "broken")?.failure).toBe("planted");
  });

  it("makes edits that pay, and leaves a warm cache alone where they do not", async () => {
    const messages = history(20);
    const cache = advanceCacheState(emptyCacheState, {
      model: MODEL,
      atMs: 0,
      usage: parseUsage({ cache_creation_input_tokens: 60_000 }),
    });
    const price = (expectedRequests: number) =>
      compact(messages, {
        targetTokens: 10_000,
        mustFitTokens: 180_000,
        createPricer: () => createPricer({ cache, nowMs: 1_000, model: MODEL, baseTokens: 5_000, expectedRequests }),
      });
    const almostDone = await price(1);
    expect(almostDone.messages).toBe(messages);
    expect(listDeclined(almostDone.report).length).toBeGreaterThan(0);
    expect((await price(200)).report.tokensAfter).toBeLessThanOrEqual(10_000);
  });

  it("asks for prices anew and leaves what is not worth its price", async () => {
    const messages = history(20);
    let pricers = 0;
    const made = await compact(messages, {
      targetTokens: 10_000,
      createPricer: () => {
        pricers++;
        return () => {
          throw new Error("no price");
        };
      },
    });
    expect(pricers).toBe(1);
    expect(made.messages).toBe(messages);
  });

  it.each([
    ["targetTokens", { targetTokens: 0 }],
    ["targetTokens", { targetTokens: Number.NaN }],
    ["ledger", { targetTokens: 1, ledger: { decisions: undefined } }],
    ["ownLayers", { targetTokens: 1, ownLayers: {} }],
    ["store", { targetTokens: 1, store: "file" }],
    ["patience", { targetTokens: 1, layers: { collapseExchanges: { patience: -1 } } }],
  ])("names %s when it is wrong", async (name, options) => {
    // @ts-expect-error: what a caller without a compiler may pass
    await expect(compact([], options)).rejects.toThrow(new RegExp(`^${name} must`));
  });
});

describe("createCompactor", () => {
  it("keeps the decisions of requests that come at once", async () => {
    const compactor = createCompactor({ targetTokens: 10_000 });
    const [one, two] = await Promise.all([compactor.prepare(history(20)), compactor.prepare(history(20))]);
    expect(JSON.stringify(two.messages)).toBe(JSON.stringify(one.messages));
    expect(two.originals).toEqual([]);
  });

  it("reacts to an overflow once, and to nothing else", async () => {
    const compactor = createCompactor({ targetTokens: 1_000_000 });
    const prepared = await compactor.prepare(history(20));
    expect(await prepared.react(429, "rate limit")).toBeUndefined();
    const harder = await prepared.react(400, "prompt is too long: 3 tokens > 2 maximum");
    expect(harder?.report.tokensAfter).toBeLessThan(prepared.report.tokensAfter / 3);
    expect(await prepared.react(400, "prompt is too long: 3 tokens > 2 maximum")).toBeUndefined();
    // The next request begins where the retry left off.
    const next = await compactor.prepare(history(20));
    expect(JSON.stringify(next.messages)).toBe(JSON.stringify(harder?.messages));
  });
});
