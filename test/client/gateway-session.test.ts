/** If red: Claude Code behind the gateway fails, breaks its cached prefix, or cannot have a folded output back. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Gateway, startGateway } from "../../src/entry/gateway/gateway.ts";
import type { CompactionSetting } from "../../src/entry/gateway/prepare-request.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call, overflow, think } from "../api/replies.ts";
import type { Reply, Scenario } from "../api/scenario.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { some } from "../support/depth.ts";
import { CLIENT_VERSIONS, type ClientVersion } from "./fetch-client.ts";
import { type Play, play, resultIn } from "./play.ts";
import type { ClientResult } from "./run-client.ts";

interface Stage extends Play {
  readonly gateway: Gateway;
  go(
    version: ClientVersion,
    prompts: readonly string[],
    more?: { readonly resume?: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<ClientResult>;
  /** Another gateway on the same store, as after a restart. */
  restart(): Promise<void>;
}

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** The real client, without a plugin, through a gateway, against a scripted API. */
async function stage(scenario: Scenario, compaction: CompactionSetting = "pass"): Promise<Stage> {
  const played = await play(scenario);
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-client-gateway-"));
  // Client runs share two cores with everything else: the budget has tests of its own.
  const start = () =>
    startGateway({
      upstream: new URL(played.api.url),
      store: createFileStore({ folder }),
      compaction,
      budgetMs: 5_000,
    });
  let gateway = await start();
  opened.push(async () => {
    await gateway.drain(0);
    await played.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ...played,
    get gateway() {
      return gateway;
    },
    go: (version, prompts, more = {}) =>
      played.run({ version, prompts, plugins: [], ...more, env: { ...more.env, ANTHROPIC_BASE_URL: gateway.url } }),
    async restart() {
      await gateway.drain(0);
      gateway = await start();
    },
  };
}

const BIG = 'seq 1 1000 | sed "s/^/depth sounding number /"';

/** Messages as one text without breakpoints: what the prompt cache compares. */
function prefixOf(request: ApiRequest | undefined): string {
  return JSON.stringify(request?.body.messages, (key, value: unknown) =>
    key === "cache_control" ? undefined : value,
  ).slice(0, -1);
}

function faultsOf(requests: readonly ApiRequest[]) {
  return requests.flatMap(({ body }) => validateMessages(body));
}

describe.each(some(1, CLIENT_VERSIONS))("the client %s through the gateway", (version) => {
  it("runs tool loops with thinking and parallel calls; large results leave folded and the prefix stands", async () => {
    const run = await stage({
      main: [
        answer(think("Look."), call("Bash", { command: BIG }), call("Bash", { command: "echo shallow" })),
        answer(call("Bash", { command: `${BIG} | tac` })),
        answer("Twelve fathoms."),
        answer("Still twelve."),
      ],
    });
    const first = await run.go(version, ["How deep?"]);
    expect(first.events.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "Twelve fathoms." });
    const { requests } = run.api;
    expect(requests).toHaveLength(3);
    expect(faultsOf(requests)).toEqual([]);
    expect(resultIn(requests[1], "toolu_main_0_1")).toMatch(/^\[FOLDED: /);
    expect(resultIn(requests[1], "toolu_main_0_2")).toContain("shallow");
    expect(resultIn(requests[2], "toolu_main_1_0")).toMatch(/^\[FOLDED: /);
    // The client may put a reminder into the newest message and take it out again; what lies before that stands.
    expect(prefixOf(requests[2]).startsWith(prefixOf(requests[1]).slice(0, -400))).toBe(true);
    expect(readFileSync(first.sessions[0]?.transcript ?? "", "utf8")).toContain("depth sounding number 1000");

    await run.restart();
    const second = await run.go(version, ["Sure?"], { resume: first.sessionId });
    expect(second.events.at(-1)).toMatchObject({ result: "Still twelve." });
    expect(resultIn(requests[3], "toolu_main_0_1")).toBe(resultIn(requests[1], "toolu_main_0_1"));
    expect(faultsOf(requests)).toEqual([]);
    expect(run.gateway.totals().incidents).toBe(0);
  });

  it("has what was folded fetched back without knowing of it, and the next prompt finds it there", async () => {
    const wanted = "depth sounding number 450";
    const read = (request: ApiRequest): Reply => {
      const said = JSON.stringify(request.body.messages);
      if (said.includes("Sure?")) return answer("Still there.");
      if (!said.includes("depth sounding")) return answer(call("Bash", { command: BIG }));
      if (said.includes(wanted)) return answer(think("There."), `Found ${wanted}.`);
      const handle = /plimsoll:[0-9a-f]{12}/.exec(said)?.[0] ?? "";
      return answer(think("Folded."), "One moment.", call("plimsoll_recall", { handle, lines: [449, 451] }));
    };
    const run = await stage({ main: read });
    const first = await run.go(version, ["Find it."]);
    expect(first.events.at(-1)).toMatchObject({ subtype: "success", result: `Found ${wanted}.` });
    expect(readFileSync(first.sessions[0]?.transcript ?? "", "utf8")).not.toContain("plimsoll_recall");
    expect(run.gateway.totals()).toMatchObject({ recalls: 1, incidents: 0 });
    await run.restart();
    await run.go(version, ["Sure?"], { resume: first.sessionId });
    const { requests } = run.api;
    expect(prefixOf(requests.at(-1))).toContain("plimsoll_recall");
    expect(prefixOf(requests.at(-1)).startsWith(prefixOf(requests[2]).slice(0, -400))).toBe(true);
    expect(faultsOf(requests)).toEqual([]);
  });

  it("leaves every byte of a session that needs nothing", async () => {
    const run = await stage({ main: [answer(call("Bash", { command: "echo 12" })), answer("Twelve.")] });
    const result = await run.go(version, ["How deep?"]);
    expect(result.events.at(-1)).toMatchObject({ result: "Twelve." });
    expect(run.gateway.totals()).toMatchObject({ requests: 2, edited: 0, edits: 0, incidents: 0 });
  });

  it("is spared an overflow: the request is sent again lighter", async () => {
    const run = await stage({
      main: [
        answer(call("Bash", { command: `${BIG} | head -100` })),
        answer(call("Bash", { command: `${BIG} | tail -100` })),
        overflow(210_000, 200_000),
        answer("It fits."),
      ],
    });
    const result = await run.go(version, ["How deep?"]);
    expect(result.events.at(-1)).toMatchObject({ subtype: "success", result: "It fits." });
    expect(run.gateway.totals().retries).toBe(1);
    expect(faultsOf(run.api.requests)).toEqual([]);
  });

  it("has its compaction answered without a model, and goes on from the record", async () => {
    const run = await stage(
      { main: [answer(call("Bash", { command: "echo keel" })), answer("Sound."), answer("Going on.")] },
      "answer",
    );
    const first = await run.go(version, ["Never paint the keel red. Is it sound?"]);
    const compacted = await run.go(version, ["/compact"], { resume: first.sessionId });
    expect(compacted.exitCode).toBe(0);
    expect(run.api.requests.map(({ lane }) => lane)).not.toContain("compaction");
    const next = await run.go(version, ["Go on."], { resume: compacted.sessionId || first.sessionId });
    expect(next.events.at(-1)).toMatchObject({ result: "Going on." });
    expect(prefixOf(run.api.requests.at(-1))).toContain("Never paint the keel red");
  });
});
