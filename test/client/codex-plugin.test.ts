/** If red: in Codex long outputs are not folded, and what a compaction dropped does not come back. */

import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createResponsesApi, functionCall, type ResponsesReply, thought, words } from "../api/responses-api.ts";
import { type Item, type ResponsesRequest, toApiRequest } from "../api/responses-body.ts";
import { atEnd, createFolder } from "../gateway/open-gateway.ts";
import { auditRun } from "../laws/audit-run.ts";
import { createStoreRecall, listStoreFolders } from "../laws/store-recall.ts";
import { expectLawful } from "../laws/verdict.ts";
import { askCodex, type CodexSettings, configureCodex, fetchCodex, runCodex } from "./run-codex.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PLANKS = "for i in $(seq 1 900); do echo plank $i of the hull was caulked and painted today; done";

interface Play extends Omit<CodexSettings, "url"> {
  readonly prompts: readonly string[];
  model(request: ResponsesRequest, index: number): ResponsesReply;
}

/** The plugin, installed by Codex's own commands from this marketplace, and some prompts. */
async function play({ prompts, model, more = "", ...settings }: Play) {
  const api = await createResponsesApi(model);
  atEnd(() => api.close());
  const folder = createFolder();
  const run = { home: path.join(folder, "home"), cwd: path.join(folder, "project") };
  await mkdir(run.cwd, { recursive: true });
  for (const line of [
    ["marketplace", "add", ROOT],
    ["add", "plimsoll-classic@plimsoll"],
  ])
    expect(await runCodex({ ...run, words: ["plugin", ...line] })).toMatchObject({ exitCode: 0 });
  const installed = await readFile(path.join(run.home, ".codex/config.toml"), "utf8");
  await configureCodex(run.home, { ...settings, url: api.url, more: `${more}\n${installed}` });
  for (const [index, prompt] of prompts.entries()) {
    const { exitCode, stdout, stderr } = await askCodex(run, prompt, { isNext: index > 0, trustsHooks: true });
    expect([exitCode, exitCode === 0 ? "" : `${stdout}\n${stderr}`]).toEqual([0, ""]);
  }
  // Somebody who uses Codex alone gets no folder of another client.
  expect(existsSync(path.join(run.home, ".claude"))).toBe(false);
  const recall = createStoreRecall({ folders: listStoreFolders(run) });
  const options = { mayRewind: false, given: prompts, summarises: "client" } as const;
  const verdict = await auditRun({ requests: api.requests.map(toApiRequest), recall, options });
  return { requests: api.requests, verdict };
}

const kindOf = ({ headers }: ResponsesRequest) =>
  /"request_kind":"(\w+)"/.exec(headers["x-codex-turn-metadata"] ?? "")?.[1];

const outputsOf = (request: ResponsesRequest | undefined): readonly string[] =>
  (request?.body.input ?? []).flatMap(({ type, output }) =>
    type === "function_call_output" ? [typeof output === "string" ? output : JSON.stringify(output)] : [],
  );

const saidIn = (request: ResponsesRequest | undefined): string =>
  JSON.stringify((request?.body.input ?? []).filter(({ role }) => role === "developer"));

const recallCall = (handle: string | undefined, more: object = {}): Item => ({
  ...functionCall("recall", { handle, ...more }),
  namespace: "mcp__plimsoll",
});

const handleIn = (value: unknown): string | undefined => /plimsoll:[0-9a-f]{12}/.exec(JSON.stringify(value))?.[0];

describe("the plugin in the real Codex", () => {
  beforeAll(async () => void (await fetchCodex()));

  it.each([0, 3])("folds a long output of a command that ends with %d, says so, and gives it back", async (code) => {
    const { requests, verdict } = await play({
      provider: "built-in",
      more: "tool_output_token_limit = 50000",
      prompts: ["Caulk the hull."],
      model: ({ body }, index) => {
        if (index === 0)
          return [functionCall("exec_command", { cmd: `${PLANKS}; exit ${code}`, max_output_tokens: 40_000 })];
        const file = /\.plimsoll\/artifacts\/[\w.-]+/.exec(JSON.stringify(body.input))?.[0];
        if (index === 1) return [recallCall(handleIn(body.input), { lines: [895, 900] })];
        return index === 2 ? [functionCall("exec_command", { cmd: `tail -n 2 ${file}` })] : [words("Done.")];
      },
    });
    const [folded = "", recalled = "", read = ""] = outputsOf(requests.at(-1));
    expect(folded).toMatch(/^\[FOLDED: exec_command output — 900 lines/);
    expect(folded).toContain(`\nProcess exited with code ${code}\n`);
    expect(folded).toContain(
      "\nUse exec_command to access the full artifact if needed.\nTo read a part of it, use mcp__plimsoll.recall",
    );
    expect(folded.length).toBeLessThan(7_000);
    for (const output of [recalled, read])
      expect(output).toContain("plank 900 of the hull was caulked and painted today");
    expectLawful(verdict);
  });

  it("puts back after a compaction what the summary lost, and tells how full the window is when asked", async () => {
    let round = 0;
    const { requests, verdict } = await play({
      provider: "own",
      compactAtTokens: 12_500,
      prompts: ["Caulk the hull. Never touch the migrations folder.", "How full is the context window?"],
      model: (request) => {
        if (kindOf(request) === "compaction") return [words("The hull was worked on.")];
        round++;
        if (round === 1)
          return [thought("a"), functionCall("exec_command", { cmd: PLANKS, max_output_tokens: 40_000 })];
        if (round === 2) return [thought("b"), recallCall(handleIn(request.body.input), { lines: [1, 400] })];
        return round >= 6
          ? [words("Done.")]
          : [thought(`c${round}`), functionCall("exec_command", { cmd: `seq ${round} 90` })];
      },
    });
    expect(requests.map(kindOf)).toContain("compaction");
    const after = requests.findIndex((request) => kindOf(request) === "compaction") + 1;
    expect(saidIn(requests[after])).toContain("[restored from this session's record");
    expect(saidIn(requests[after])).toMatch(/Folded output of .{0,200}plimsoll:[0-9a-f]{12}/);
    expect(saidIn(requests.at(-1))).toContain("The user asks about the context window. Measured now:");
    expectLawful(verdict);
  });

  it("tells again what nobody can see in a compaction that OpenAI seals, and claims nothing of it", async () => {
    let round = 0;
    const { requests } = await play({
      provider: "built-in",
      compactAtTokens: 11_500,
      prompts: ["Caulk the hull."],
      model: ({ body }) => {
        if (body.input.at(-1)?.type === "compaction_trigger")
          return [{ type: "compaction", encrypted_content: "sealed" }];
        round++;
        const cmd = round === 1 ? PLANKS : `for i in $(seq 1 400); do echo plank $i is number ${round}; done`;
        return round > 6 ? [words("Done.")] : [thought(`d${round}`), functionCall("exec_command", { cmd })];
      },
    });
    const after = requests.findIndex(({ body }) => body.input.at(-1)?.type === "compaction_trigger") + 1;
    expect(after).toBeGreaterThan(0);
    expect(saidIn(requests[after])).toContain(
      "Plimsoll cannot read the compaction's summary, so it cannot tell which of these facts the summary kept.]",
    );
    expect(saidIn(requests[after])).toMatch(/Folded output of .{0,200}plimsoll:[0-9a-f]{12}/);
  });
});
