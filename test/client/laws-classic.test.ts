/** If red: a compaction by the client itself loses what Plimsoll had folded, or what the person had demanded. */

import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/core/sha256.ts";
import { nameHandle } from "../../src/fold/marker.ts";
import { answer, call, overflow, summary } from "../api/replies.ts";
import type { Scenario } from "../api/scenario.ts";
import { expectLawful } from "../laws/verdict.ts";
import { renderFlagPng } from "../record/render-png.ts";
import { CLIENT_VERSIONS, type ClientVersion } from "./fetch-client.ts";
import { PLUGIN, PLUGIN_CLASSIC, type Play, play, resultIn, sent } from "./play.ts";

/** Here the client writes the summary: what it leaves out is its own affair, what Plimsoll folded or put back is ours. */
const BY_CLIENT = { summarises: "client", mayRewind: false } as const;

const LOG = Array.from({ length: 450 }, (_, index) => `step ${index}: planked and caulked, tide ${index % 7}`).join(
  "\n",
);
const MEGABYTE = Array.from({ length: 150_000 }, (_, index) => `${index + 1}\n`).join("");
const HAIL = `from the crow's nest ${"all is well; ".repeat(2_500)}`;
const handleOf = (original: string): string => nameHandle(sha256(original));

/** Servers of words and pictures that come as a package. */
const SERVER = JSON.stringify({
  mcpServers: {
    every: {
      type: "stdio",
      command: process.execPath,
      args: [createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
    },
  },
});

const DEMAND = "Paint the northern hull. Never touch the migrations folder.";
const RESTORED = '- The user said: "Never touch the migrations folder."';
/** Quotes a handle, as it is asked to, and drops the migrations folder. */
const SUMMARY = summary(`1. Progress:\n   Painted the northern hull once. The log is ${handleOf(LOG)}.`);

async function open(scenario: Scenario, settings: Readonly<Record<string, unknown>> | undefined): Promise<Play> {
  const session = await play(scenario, settings);
  await session.workspace.writeFile("build.log", LOG);
  await session.workspace.writeFile("flag.png", renderFlagPng(40));
  await session.workspace.writeFile("servers.json", SERVER);
  return session;
}

/** Everything that may be folded and everything that may not, a compaction by hand, and a resume. */
async function playLife(
  run: { readonly version: ClientVersion; readonly plugins: readonly string[] },
  settings?: Readonly<Record<string, unknown>>,
): Promise<Play> {
  const session = await open(
    {
      main: (_, step) => {
        const flag = join(session.workspace.cwd, "flag.png");
        const replies = [
          answer(
            "I look at all of it.",
            call("Bash", { command: "cat build.log" }, "toolu_log"),
            call("Bash", { command: "seq 1 150000" }, "toolu_megabyte"),
            call("Bash", { command: "cat build.log; exit 3" }, "toolu_failed"),
          ),
          answer(
            call("Read", { file_path: flag }, "toolu_flag"),
            call("mcp__every__echo", { message: HAIL }, "toolu_hail"),
            call("mcp__every__get-tiny-image", {}, "toolu_image"),
          ),
          answer("Looked."),
          answer(call("Bash", { command: "cat build.log" }, "toolu_again")),
          answer("Painted."),
          answer("Still painted."),
        ];
        return replies[step] ?? answer("There is nothing left to do.");
      },
      compaction: [SUMMARY],
    },
    settings,
  );
  const args = ["--mcp-config", join(session.workspace.cwd, "servers.json")];
  const prompts = [DEMAND, "/compact keep the shade of red", "Go on."];
  const { sessionId } = await session.run({ ...run, prompts, args, timeoutMs: 90_000 });
  await session.run({ ...run, prompts: ["And now?"], args, resume: sessionId });
  return session;
}

/** The API refuses the second request. */
function openTooLong(): Promise<Play> {
  const work = (id: string) =>
    answer(call("Bash", { command: "cat build.log" }, id), call("Bash", { command: "true" }));
  const main = [work("toolu_a"), overflow(210_000, 200_000), work("toolu_b"), answer("Done.")];
  return open({ main, compaction: [SUMMARY] }, undefined);
}

function lanesOf({ api }: Play): readonly string[] {
  return api.requests.map(({ lane }) => lane);
}

function expectRestored({ api }: Play): void {
  const at = api.requests.findIndex(({ lane }) => lane === "compaction");
  const after = api.requests.slice(at + 1);
  expect(after.length).toBeGreaterThan(1);
  for (const request of after) expect(sent(request)).toContain(RESTORED);
}

describe.concurrent("where the client summarises, the laws hold for what Plimsoll does", () => {
  for (const version of CLIENT_VERSIONS) {
    it(`with command hooks in ${version}: results of every kind, a compaction by hand, a resume`, async ({
      onTestFinished,
    }) => {
      const session = await playLife({ version, plugins: [PLUGIN_CLASSIC] });
      onTestFinished(() => session.close());
      const { requests } = session.api;
      const before = requests.find((request) => resultIn(request, "toolu_hail") !== "");
      expect(resultIn(before, "toolu_log")).toContain(`(${handleOf(LOG)})`);
      expect(resultIn(before, "toolu_megabyte")).toContain(`(${handleOf(MEGABYTE)})`);
      expect(resultIn(before, "toolu_hail")).toContain(`(${handleOf(`Echo: ${HAIL}`)})`);
      expect(resultIn(before, "toolu_failed")).not.toContain("[FOLDED:");
      expect(JSON.stringify(before?.body.messages).match(/"type":"image"/g)).toHaveLength(2);
      expect(sent(requests.find(({ lane }) => lane === "compaction"))).toContain("keep the shade of red");
      expect(resultIn(requests.at(-1), "toolu_again")).toContain(`(${handleOf(LOG)})`);
      expectRestored(session);
      const verdict = await session.audit({ ...BY_CLIENT, given: [DEMAND, "Go on.", "And now?"] });
      expectLawful(verdict);
      expect(verdict.handlesFetched).toBe(3);
    });

    it(`with command hooks in ${version}, when the prompt is too long, it ends as it does without them`, async ({
      onTestFinished,
    }) => {
      const [bare, session] = [await openTooLong(), await openTooLong()];
      onTestFinished(async () => {
        await bare.close();
        await session.close();
      });
      const alone = await bare.run({ version, plugins: [], prompts: [DEMAND] });
      const run = await session.run({ version, plugins: [PLUGIN_CLASSIC], prompts: [DEMAND] });
      expect(run.exitCode).toBe(alone.exitCode);
      expect(lanesOf(session)).toEqual(lanesOf(bare));
      // 2.1.197 gives up where the API says so; later clients compact and go on.
      if (lanesOf(bare).includes("compaction")) {
        expect(run.exitCode).toBe(0);
        expect(resultIn(session.api.requests.at(-1), "toolu_b")).toContain(`(${handleOf(LOG)})`);
        expectRestored(session);
      }
      expectLawful(await session.audit({ ...BY_CLIENT, given: [DEMAND] }));
    });
  }

  it("with the module, told to leave compactions to the client", async ({ onTestFinished }) => {
    const session = await playLife({ version: "2.1.325", plugins: [PLUGIN] }, { compaction: "native" });
    onTestFinished(() => session.close());
    const { requests } = session.api;
    const before = requests.find((request) => resultIn(request, "toolu_hail") !== "");
    expect(resultIn(before, "toolu_megabyte")).toContain(handleOf(MEGABYTE));
    expectRestored(session);
    expectLawful(await session.audit({ ...BY_CLIENT, given: [DEMAND, "Go on.", "And now?"] }));
  });

  it("with the module, told to leave compactions to the client, when one comes in the middle of a turn", async ({
    onTestFinished,
  }) => {
    const work = (id: string) => answer("I look.", call("Bash", { command: `echo ${id}` }, id));
    const main = [work("toolu_a"), work("toolu_b"), overflow(210_000, 200_000), work("toolu_c"), answer("Done.")];
    const session = await open({ main: [...main, answer("Still.")], compaction: [SUMMARY] }, { compaction: "native" });
    onTestFinished(() => session.close());
    const { sessionId } = await session.run({ prompts: [DEMAND] });
    await session.run({ prompts: ["And now?"], resume: sessionId });
    const [first, ...later] = session.api.requests.slice(lanesOf(session).indexOf("compaction") + 1);
    // The client kept the last call with its result; what its summary lost stands behind the next one.
    expect(resultIn(first, "toolu_b")).not.toBe("");
    expect(later).toHaveLength(2);
    for (const request of later) expect(sent(request)).toContain(RESTORED);
    expectLawful(await session.audit({ ...BY_CLIENT, given: [DEMAND, "And now?"] }));
  });
});
