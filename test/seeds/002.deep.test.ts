/** If red: an agent of one's own cannot be built as the third seed asks. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call, overflow } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { createBuildersProject } from "../support/packed-package.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/**
 * Seed 002 for whoever builds a harness: `harness.mjs`, with the packed package, works through a day against the scripted API,
 * then begins another session. What lives in a client is in `002.client.test.ts`.
 */

const { folder } = createTemporaryFolder();
let project = "";
const apis: ScriptedApi[] = [];
afterAll(async () => {
  for (const api of apis) await api.close();
});

interface Session {
  readonly output: string;
  readonly sent: readonly ApiRequest[];
  readonly results: {
    readonly requests: readonly {
      readonly contextTokens: number;
      readonly cacheReadTokens: number;
      readonly usd: number;
    }[];
    readonly summaries: { readonly count: number; readonly p99: number };
    readonly acted: readonly (readonly string[])[];
    readonly ledger: readonly string[];
    readonly handles: readonly string[];
    readonly stored: readonly string[];
  };
}

/** The harness as a person would start it. */
async function run(words: readonly string[], main: (request: ApiRequest) => Reply): Promise<Session> {
  const api = await createScriptedApi({ main });
  apis.push(api);
  const child = spawn(process.execPath, ["harness.mjs", ...words], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: folder, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "made-up" },
  });
  let output = "";
  for (const pipe of [child.stdout, child.stderr]) pipe.on("data", (bytes) => (output += bytes));
  expect(await new Promise((resolve) => child.once("close", resolve)), output).toBe(0);
  const results = JSON.parse(readFileSync(path.join(project, "results.json"), "utf8"));
  return { output, sent: api.requests, results };
}

const textOf = (request: ApiRequest | undefined): string => JSON.stringify(request?.body.messages);
const isQuestion = (request: ApiRequest): boolean => textOf(request).includes("<conversation>");

const CAREFUL = "- Weigh every parcel twice.\n";
/** 4,200 characters: above what one file may have. */
const LONG = "- Read the label aloud.\n".repeat(175);
const FILES = Array.from({ length: 20 }, (_, index) => `module${index}.ts`);
const NOTES = "exports are constants, all of them\n".repeat(110);

function createShop(): void {
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  };
  put("organisation.md", `${CAREFUL}- Always use npm.\n`);
  put("user.md", "- Answer in English.\n");
  put("shop/CLAUDE.md", "- Prices are in `src/prices.ts`.\n- Never use npm.\n");
  put("shop/packages/CLAUDE.md", `${CAREFUL}- Always use npm.\n`);
  put("shop/packages/api/CLAUDE.md", LONG);
  put("shop/packages/web/CLAUDE.md", "- Draw buttons in blue.\n");
  put("notes.md", NOTES);
  for (const file of FILES)
    put(
      file,
      Array.from({ length: 200 }, (_, line) => `export const ${path.basename(file, ".ts")}_${line} = 1;`).join("\n"),
    );
}

const refused: ApiRequest[] = [];

/** Reads file after file, and the notes each time; the API refuses once; then a tool of each kind fails, and one is asked for again. */
function createDay(): (request: ApiRequest) => Reply {
  const reads = FILES.length * 2;
  let step = -1;
  return (request) => {
    if (isQuestion(request))
      return answer("<summary>Constants.</summary><memories>\n- Reading: Modules hold constants.\n</memories>");
    step++;
    if (step < reads)
      return answer(call("Read", { path: FILES[step % FILES.length] }), call("Read", { path: "notes.md" }));
    if (step === reads) {
      refused.push(request);
      return overflow(210_000, 200_000);
    }
    if (step === reads + 1) return answer(call("Read", { path: "gone.ts" }), call("Read", { path: "notes.md" }));
    if (step === reads + 2) return answer(call("Bash", { command: "exit 7" }), call("Bash", { command: "sleep 20" }));
    if (step > reads + 3) return answer("Constants, all of them.");
    const [, segment, line] =
      /recall (plimsoll:[0-9a-f]{12})#N(?:(?!LEDGER:).)*?(?:\\n|")(\d+) Read notes\.md → \(/.exec(textOf(request)) ??
      [];
    return answer(call("recall", { handle: `${segment}#${line}` }));
  };
}

let day: Session;
let morrow: Session;
beforeAll(async () => {
  project = createBuildersProject(folder);
  cpSync(path.join(import.meta.dirname, "harness.mjs"), path.join(project, "harness.mjs"));
  createShop();
  // Words of the person stay word for word, until a model has summarised them.
  const words = "Say what the modules are for.\n".repeat(340);
  day = await run(Array(6).fill(words), createDay());
  morrow = await run(["Read the modules again."], () => answer("Aye."));
});

const systemOf = (request: ApiRequest | undefined): readonly string[] =>
  (request?.body.system ?? []).map(({ text }) => String(text));

describe("seed 002 in a harness of one's own", () => {
  it("[R123] [R124] [R125] [R126] [R135] [R136] [R137] reads the instructions of one scope, in order, once, within budgets, and names what disagrees or is stale", () => {
    const [, dynamic = ""] = systemOf(day.sent[0]);
    const order = ["organisation.md", "user.md", "shop/CLAUDE.md", "packages/api/CLAUDE.md"];
    const at = order.map((name) => dynamic.indexOf(name));
    expect(at).toEqual([...at].sort((left, right) => left - right));
    expect(at).not.toContain(-1);
    expect(dynamic.split(CAREFUL.trim())).toHaveLength(2);
    expect(dynamic).not.toContain("blue");
    expect(dynamic.split("Read the label aloud.").length - 1).toBeLessThan(4000 / 24);
    expect(dynamic).toContain("[truncated]");
    expect(dynamic.length).toBeLessThan(13_000);
    expect(day.output).toMatch(/CONFLICT on "[^"]+": instruction files disagree/);
    expect(day.output).toContain("stale: CLAUDE.md names src/prices.ts");
  });

  it("[R134] [R153] [R145] keeps what stands before the boundary the same in every request, and pays for it once", () => {
    const asked = [...day.sent, ...morrow.sent].filter((request) => !isQuestion(request));
    expect(new Set(asked.map((request) => systemOf(request)[0])).size).toBe(1);
    expect(systemOf(asked[0])[0]).toMatch(/__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__$/);
    expect(new Set(asked.map((request) => systemOf(request)[1])).size).toBeGreaterThan(1);
    expect(day.output).toMatch(/^static prefix [0-9a-f]{16} \(\d+ tokens\) stable over \d+ requests$/m);
    const [first, ...later] = day.results.requests;
    expect(first?.cacheReadTokens).toBe(0);
    expect(Math.min(...later.map(({ cacheReadTokens }) => cacheReadTokens))).toBeGreaterThan(3000);
  });

  it("[R127] [R129] [R138] [R139] [R142] [R155] keeps below its line with five layers, and nothing that left is lost", () => {
    expect([...new Set(day.results.ledger)].sort()).toEqual([
      "autoCompact",
      "clearStale",
      "collapseExchanges",
      "foldOutputs",
      "reactToOverflow",
    ]);
    for (const { body } of day.sent) expect(validateMessages(body)).toEqual([]);
    expect(Math.max(...day.sent.map((request) => textOf(request).length))).toBeLessThan(80_000);
    expect(new Set(day.results.stored)).toEqual(new Set([...day.results.stored, ...day.results.handles]));
    const asked = day.sent.findLast(({ body }) => JSON.stringify(body.messages.at(-2)).includes('"recall"'));
    expect(JSON.stringify(asked?.body.messages.at(-1))).toContain(JSON.stringify(NOTES).slice(1, -1));
  });

  it("[R141] [R129] meets a refusal once, by sending less", () => {
    const [heavy] = refused;
    const [lighter] = heavy === undefined ? [] : day.sent.slice(day.sent.indexOf(heavy) + 1);
    expect(refused).toHaveLength(1);
    expect(textOf(lighter).length).toBeLessThan(textOf(heavy).length);
    expect(textOf(lighter).length).toBeGreaterThan(2);
    expect(day.results.acted.filter((layers) => layers.includes("reactToOverflow"))).toHaveLength(1);
  });

  it("[R122] [R130] [R131] [R132] [R133] [R140] asks for a summary with its memories in one request, within the reserve, and the next session begins with what was learnt", () => {
    const questions = day.sent.filter(isQuestion);
    expect(questions).toHaveLength(1);
    expect(questions[0]?.body.raw.max_tokens).toBe(20_000);
    expect(day.sent.some((request) => textOf(request).includes("So far:\\nConstants."))).toBe(true);
    expect(readdirSync(path.join(project, "shop/.plimsoll/memory")).sort()).toEqual(["MEMORY.md", "reading.md"]);
    const [, dynamic = ""] = systemOf(morrow.sent[0]);
    expect(dynamic).toContain("[Reading](reading.md)");
    expect(dynamic).toMatch(/\d{4}-\d\d-\d\d: Modules hold constants\./);
    expect(textOf(morrow.sent[0])).not.toContain("Constants.");
  });

  it("[R143] starts a tool before the answer has ended; Bash alone takes its siblings with it", () => {
    expect(day.output.indexOf("started Read")).toBeLessThan(day.output.indexOf("answered"));
    expect(day.output).toContain(
      'failed: {"path":"gone.ts"}\nfailed: {"command":"exit 7"}\ncancelled: {"command":"sleep 20"}\n',
    );
  });

  it("[R128] [R152] [R154] says of every request what it carried and cost, which layers acted, and how large its summaries are", () => {
    const { requests, summaries, acted } = day.results;
    expect(requests).toHaveLength(day.sent.filter((request) => !isQuestion(request)).length - 1);
    expect(requests.every(({ contextTokens, usd }) => contextTokens > 3000 && usd > 0)).toBe(true);
    expect(summaries.count).toBe(1);
    expect(summaries.p99).toBeGreaterThan(0);
    expect(acted.filter((layers) => layers.length === 0).length).toBeGreaterThan(acted.length / 4);
    expect(morrow.results.acted).toEqual([[]]);
  });
});
