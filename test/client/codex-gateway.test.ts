/** If red: Codex behind the gateway asks a model for a summary, or loses what the person said. */

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createResponsesApi, functionCall, type ResponsesReply, thought, words } from "../api/responses-api.ts";
import { type ResponsesRequest, toApiRequest } from "../api/responses-body.ts";
import { atEnd, createFolder, openGateway } from "../gateway/open-gateway.ts";
import { auditRun } from "../laws/audit-run.ts";
import { createStoreRecall } from "../laws/store-recall.ts";
import { expectLawful } from "../laws/verdict.ts";
import { askCodex, type CodexSettings, configureCodex, fetchCodex } from "./run-codex.ts";

const RECALL = "plimsoll_recall";

/** Works through commands, and fetches back what was folded as soon as it can. */
function createModel(rounds: number): (request: ResponsesRequest, index: number) => ResponsesReply {
  let round = 0;
  let recalls = 0;
  return ({ body }, index) => {
    const handles = [...new Set(JSON.stringify(body.input).match(/plimsoll:[0-9a-f]{12}/g) ?? [])];
    const hasTool = body.tools.some(({ name }) => name === RECALL);
    if (hasTool && handles.length > 0 && index % 5 === 4)
      return [
        thought(`back ${index}`),
        functionCall(RECALL, { handle: handles[recalls++ % handles.length], lines: [1, 5] }),
      ];
    if (round % rounds === rounds - 1) {
      round++;
      return [thought(`end ${index}`), words(`Done after ${round}.`)];
    }
    const cmd = `for i in $(seq 1 ${[20, 400, 60][round % 3]}); do echo "round ${round}: plank $i of the hull was caulked"; done`;
    round++;
    return [thought(`on ${index}`), functionCall("exec_command", { cmd })];
  };
}

async function play(settings: Omit<CodexSettings, "url">, prompts: readonly string[], rounds: number) {
  const api = await createResponsesApi(createModel(rounds));
  atEnd(() => api.close());
  const folder = createFolder();
  const gateway = await openGateway(api.url, { folder: path.join(folder, "store"), compaction: "answer" });
  const [home, cwd] = [path.join(folder, "home"), path.join(folder, "project")];
  await mkdir(cwd, { recursive: true });
  await configureCodex(home, { ...settings, url: gateway.url });
  for (const [index, prompt] of prompts.entries()) {
    const { exitCode, stdout, stderr } = await askCodex({ home, cwd }, prompt, { isNext: index > 0 });
    expect([exitCode, exitCode === 0 ? "" : `${stdout}\n${stderr}`]).toEqual([0, ""]);
  }
  const recall = createStoreRecall({ folders: [path.join(folder, "store/.plimsoll/artifacts")] });
  const requests = api.requests.map(toApiRequest);
  const verdict = await auditRun({ requests, recall, options: { mayRewind: false, given: prompts } });
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const count = (name: string): number =>
    Number(new RegExp(`^plimsoll_gateway_${name}_total(?:\\{[^}]*\\})? (\\d+)`, "m").exec(metrics)?.[1] ?? 0);
  return { api, verdict, count };
}

const PROMPTS = ["Caulk the hull of the Beagle.", "Now the deck, and mind the pitch.", "And the masts at last."];

describe("the real Codex through the gateway", () => {
  beforeAll(async () => void (await fetchCodex()));

  it.each(["built-in", "own"] as const)(
    "compacts without a model with a provider that is %s, and loses nothing",
    async (provider) => {
      const { api, verdict, count } = await play({ provider, compactAtTokens: 14_000 }, PROMPTS, 6);
      expect(api.requests.flatMap(({ violations }) => violations)).toEqual([]);
      // No request for a summary ever reached the API, and no WebSocket did.
      const kinds = api.requests.map(
        ({ headers }) => /"request_kind":"(\w+)"/.exec(headers["x-codex-turn-metadata"] ?? "")?.[1],
      );
      expect(kinds.filter((kind) => kind === "compaction")).toEqual([]);
      expect(api.upgrades()).toBe(0);
      expect(count("compactions_answered")).toBeGreaterThan(1);
      expect(count("recalls")).toBeGreaterThan(0);
      // The last request holds every word of the person once, in their order, and a ledger between them.
      const last = JSON.stringify(api.requests.at(-1)?.body.input);
      for (const prompt of PROMPTS) expect(last.split(prompt)).toHaveLength(2);
      expect(PROMPTS.map((prompt) => last.indexOf(prompt))).toEqual(
        PROMPTS.map((prompt) => last.indexOf(prompt)).sort((a, b) => a - b),
      );
      expect(last).toContain("plimsoll:");
      expectLawful(verdict);
    },
  );
});
