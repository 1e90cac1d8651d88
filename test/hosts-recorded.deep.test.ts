/** If red: real sessions of other clients are misread or priced wrongly. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { hostOf, readSession } from "../src/hosts/catalogue.ts";
import type { RecordedSession } from "../src/hosts/follow-transcript.ts";
import { priceByList } from "../src/models/economics/spend.ts";
import { needs } from "./support/needs.ts";

const RECORDED = path.resolve(import.meta.dirname, "../../shared/hosts");
const withRecorded = needs(existsSync(RECORDED), "no recorded sessions of other hosts beside the project");

/** Input, read from the cache, written to it, put out. */
type Sums = readonly [number, number, number, number];
type Counts = Readonly<Record<string, number>>;

interface CodexLine {
  readonly payload: {
    readonly type?: string;
    readonly info?: { readonly total_token_usage: Counts; readonly last_token_usage: Counts } | null;
  };
}

interface PiLine {
  readonly message?: {
    readonly role: string;
    readonly model: string;
    readonly usage: { readonly [name: string]: number } & { readonly cost: Counts };
  };
}

interface GeminiChat {
  readonly messages: readonly { readonly tokens?: Counts }[];
}

interface OpenCodeExport {
  readonly messages: readonly {
    readonly info: {
      readonly tokens?: {
        readonly input: number;
        readonly output: number;
        readonly reasoning: number;
        readonly cache: { readonly read: number; readonly write: number };
      };
    };
  }[];
}

function listRecorded(host: string): readonly string[] {
  const root = path.join(RECORDED, host);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.jsonl?$/.test(name))
    .sort()
    .map((name) => path.join(root, name));
}

function parseLines<Line>(file: string): readonly Line[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

function add(sums: Sums, [input, read, written, output]: Sums): Sums {
  return [sums[0] + input, sums[1] + read, sums[2] + written, sums[3] + output];
}

const ZERO: Sums = [0, 0, 0, 0];

/** What the accounts of a session come to. */
function sumAccounts({ accounts }: RecordedSession): Sums {
  return accounts.steps.reduce<Sums>(
    (sums, { usage }) =>
      add(sums, [
        usage.inputTokens,
        usage.cacheReadTokens,
        usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
        usage.outputTokens,
      ]),
    ZERO,
  );
}

/** Plain loops over what the clients wrote, which share nothing with the readers. */
const LOOPS: Readonly<Record<string, (file: string) => Sums>> = {
  codex(file) {
    let sums = ZERO;
    let total = -1;
    for (const { payload } of parseLines<CodexLine>(file)) {
      const info = payload.type === "token_count" ? payload.info : undefined;
      if (!info || info.total_token_usage.total_tokens === total) continue;
      total = info.total_token_usage.total_tokens ?? 0;
      const {
        input_tokens: input = 0,
        cached_input_tokens: cached = 0,
        output_tokens: output = 0,
      } = info.last_token_usage;
      sums = add(sums, [input - cached, cached, 0, output]);
    }
    return sums;
  },
  pi(file) {
    let sums = ZERO;
    for (const { message } of parseLines<PiLine>(file)) {
      if (message?.role !== "assistant") continue;
      const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = message.usage;
      sums = add(sums, [input, cacheRead, cacheWrite, output]);
    }
    return sums;
  },
  copilot: () => ZERO,
  gemini(file) {
    const chat: GeminiChat = JSON.parse(readFileSync(file, "utf8"));
    return chat.messages.reduce<Sums>((sums, { tokens }) => {
      if (!tokens) return sums;
      const { input = 0, cached = 0, tool = 0, output = 0, thoughts = 0 } = tokens;
      return add(sums, [input + tool - cached, cached, 0, output + thoughts]);
    }, ZERO);
  },
  opencode(file) {
    const exported: OpenCodeExport = JSON.parse(readFileSync(file, "utf8"));
    return exported.messages.reduce<Sums>((sums, { info: { tokens } }) => {
      if (!tokens) return sums;
      const { input, output, reasoning, cache } = tokens;
      return add(sums, [input, cache.read, cache.write, output + reasoning]);
    }, ZERO);
  },
};

/** Files, records, parsed, ignored, malformed, of types that nobody knows, requests, compactions. */
const FOUND = {
  codex: [30, 16_924, 13_783, 3141, 0, 0, 2145, 9],
  pi: [16, 3496, 3334, 162, 0, 0, 1559, 3],
  opencode: [55, 8037, 5089, 2948, 0, 0, 1281, 1],
  // No usage is recorded, so no request is known.
  copilot: [14, 2020, 499, 1521, 0, 0, 0, 0],
  gemini: [4, 76, 72, 4, 0, 0, 60, 0],
} as const;

describe("recorded sessions of other hosts", () => {
  for (const [host, found] of Object.entries(FOUND)) {
    withRecorded.it(`are read whole: ${host}`, () => {
      const counts = [0, 0, 0, 0, 0, 0, 0, 0];
      for (const file of listRecorded(host)) {
        expect(hostOf(file).name).toBe(host);
        const session = readSession(file);
        const { lines, parsed, ignored, malformed, unknown } = session.tally;
        const { steps, compactions } = session.accounts;
        const reported = [1, lines, parsed, ignored, malformed, unknown, steps.length, compactions.length];
        for (const [index, count] of reported.entries()) counts[index] = (counts[index] ?? 0) + count;
        expect(sumAccounts(session), file).toEqual(LOOPS[host]?.(file));
      }
      expect(counts).toEqual(found);
    });
  }

  withRecorded.it("cost what pi recorded, but for two models whose price it took from elsewhere", () => {
    const reported = new Map<string, number>();
    const priced = new Map<string, number>();
    const count = (sums: Map<string, number>, model: string, usd: number): unknown =>
      sums.set(model, (sums.get(model) ?? 0) + usd);
    for (const file of listRecorded("pi")) {
      for (const { message } of parseLines<PiLine>(file))
        if (message?.role === "assistant") count(reported, message.model, message.usage.cost.total ?? 0);
      for (const { model, usage } of readSession(file).accounts.steps)
        count(priced, model, priceByList(usage, model)?.totalUsd ?? Number.NaN);
    }
    const far = [...reported].filter(([model, usd]) => Math.abs((priced.get(model) ?? 0) - usd) > usd * 0.01);
    // With reads from the cache at the price of plain input; and on a subscription, at no price.
    expect(far.map(([model]) => model).sort()).toEqual(["gemini-3-flash", "gpt-5-mini"]);
  });
});
