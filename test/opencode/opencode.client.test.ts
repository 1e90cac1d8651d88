/** If red: in OpenCode the window is not compacted or folded without a model, or something is lost by it. */

import { rm } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { sent } from "../client/play.ts";
import { listStoreFolders } from "../laws/store-recall.ts";
import { expectLawful } from "../laws/verdict.ts";
import { needs } from "../support/needs.ts";
import { type OpenCodePlay, playOpenCode } from "./play-opencode.ts";

const opened: OpenCodePlay[] = [];
async function open(...given: Parameters<typeof playOpenCode>): Promise<OpenCodePlay> {
  const session = await playOpenCode(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const WORDS = "the hull is sound and the planks are dry and the mast stands. ";
const DEMAND = "Paint the load line. Never touch the anchor chain.";

function work(step: number, repeats = 40): Reply {
  const command = `for i in $(seq 1 60); do echo "step ${step} plank $i measured 12.$i mm, caulking sound, no leak"; done`;
  return answer(`Plank row ${step}. ${WORDS.repeat(repeats)}`, call("bash", { command, description: "measure" }));
}

const longDay =
  (steps: number) =>
  (_: ApiRequest, step: number): Reply =>
    step < steps ? work(step) : answer(`Row ${step} is done.`);

function findLighter(requests: readonly ApiRequest[]): number {
  return requests.findIndex(
    ({ body }, index) => body.messages.length < (requests[index - 1]?.body.messages.length ?? 0),
  );
}

needs(process.platform === "linux", "its binary is fetched for Linux only").describe("OpenCode with the plugin", () => {
  it("stays below its limit without a request for a summary, loses nothing, and goes on so in another process", async () => {
    const session = await open(longDay(24), { contextWindow: 60_000, settings: { early: "off" } });
    await session.run(DEMAND);
    const requests = session.requests();
    const at = findLighter(requests);

    expect(at).toBeGreaterThan(0);
    expect(sent(requests[at])).toContain("[LEDGER: ");
    expect(sent(requests[at])).toContain("Never touch the anchor chain.");
    expect(sent(requests[at])).toContain(`step ${at - 1} plank 60 measured 12.60 mm`);
    expect(validateMessages(requests[at]?.body ?? { messages: [] })).toEqual([]);
    await session.run("How many coats?", ["--continue"]);
    const next = session.requests().at(-1);
    expect(sent(next)).toContain("[LEDGER: ");
    expect(sent(next)).toContain("How many coats?");
    // Titles alone.
    expect(session.side().every(({ body }) => JSON.stringify(body.messages).includes("Generate a title"))).toBe(true);
    expectLawful(await session.audit());
    for (const folder of listStoreFolders(session.workspace)) await rm(folder, { recursive: true, force: true });
    // The audit has read the originals where they were stored.
    expect((await session.audit()).missing).not.toEqual([]);
  });

  it("shows what coming back after an hour costs, as the person asks, and compacts the prompt first", async () => {
    const session = await open((_, step) => (step < 6 ? work(step, 800) : answer(`Row ${step} is done.`)));
    await session.run(DEMAND);
    await session.age(61 * 60_000);
    const told = await session.askServer("And the keel?");
    expect(told).toMatch(/"tui\.toast\.show".*tokens are no longer cached: going on costs about \$/);
    expect(told.split("no longer cached").length).toBe(2);
    expect((await session.audit()).invalid).toEqual([]);
  });

  it("folds a large result, and gives it back word for word to a model that asks", async () => {
    const command = 'for i in $(seq 1 900); do echo "line $i of the log: all quiet, nothing to see here"; done';
    const script: readonly ((request: ApiRequest) => Reply)[] = [
      () => answer(call("bash", { command, description: "read the log" })),
      (request) => {
        const [handle = "none"] = sent(request).match(/plimsoll:[0-9a-f]{12}/) ?? [];
        return answer(call("plimsoll_recall", { handle, page: 1, lines: [440, 441], pattern: "" }));
      },
    ];
    const session = await open((request, step) => script[step]?.(request) ?? answer("Read."));
    await session.run("Read the log.");
    const requests = session.requests();
    const results = requests.map((request) => sent(request));

    expect(results[1]).toContain("[FOLDED: ");
    expect(results[2]).toContain("line 440 of the log: all quiet, nothing to see here");
    expectLawful(await session.audit());
  });
});
