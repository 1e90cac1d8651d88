/** If red: in pi the window is not compacted or folded without a model, or something is lost by it. */

import { rm } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { isRecord } from "../api/messages-body.ts";
import { answer, call } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { resultIn, sent } from "../client/play.ts";
import { listStoreFolders } from "../laws/store-recall.ts";
import { expectLawful } from "../laws/verdict.ts";
import { renderFlagPng } from "../record/render-png.ts";
import { needs } from "../support/needs.ts";
import { type PiPlay, playPi } from "./play-pi.ts";

const opened: PiPlay[] = [];
async function open(...given: Parameters<typeof playPi>): Promise<PiPlay> {
  const session = await playPi(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const WORDS = "the hull is sound and the planks are dry and the mast stands. ";
const DEMAND = "Paint the load line. Never touch the anchor chain.";

/** One step of steady work: about 2,300 tokens, none of it large enough to be folded. */
function work(step: number): Reply {
  const command = `for i in $(seq 1 60); do echo "step ${step} plank $i measured 12.$i mm, caulking sound, no leak"; done`;
  return answer(`Plank row ${step}. ${WORDS.repeat(40)}`, call("bash", { command }));
}

function longDay(steps: number): (request: ApiRequest, step: number) => Reply {
  return (_, step) => (step < steps ? work(step) : answer(`Row ${step} is done.`));
}

/** Every request but those of the conversation itself: a summary would be one. */
function listForeign(requests: readonly ApiRequest[]): readonly ApiRequest[] {
  return requests.filter(({ body }) => !(body.tools ?? []).some(({ name }) => name === "bash"));
}

function findLighter(requests: readonly ApiRequest[]): number {
  return requests.findIndex(
    ({ body }, index) => body.messages.length < (requests[index - 1]?.body.messages.length ?? 0),
  );
}

/** Breakpoints of the prompt cache move from request to request. */
function withoutMarks(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message, (key, value: unknown) => (key === "cache_control" ? undefined : value)));
}

/** Pi calls a session too small to be compacted unless it keeps less. */
const SMALL_TAIL = { piSettings: { compaction: { keepRecentTokens: 500 } } };

function isOwnEntry(entry: unknown): boolean {
  return isRecord(entry) && entry.customType === "plimsoll";
}

needs(process.platform === "linux", "npm has Node 24 for Linux only").describe("pi with the extension", () => {
  it("compacts at its own limit without a request to a model, and loses nothing", async () => {
    const session = await open({ main: longDay(30) }, { contextWindow: 60_000, settings: { early: "off" } });
    const pi = await session.start();
    await pi.prompt(DEMAND);
    const { requests } = session.api;
    const at = findLighter(requests);

    expect(at).toBeGreaterThan(0);
    expect(listForeign(requests)).toEqual([]);
    expect(sent(requests[at])).toContain("Never touch the anchor chain.");
    // The last exchanges are there word for word, with their results.
    expect(sent(requests[at])).toContain(`step ${at - 1} plank 60 measured 12.60 mm`);
    expect(validateMessages(requests[at]?.body ?? { messages: [] })).toEqual([]);
    expectLawful(await session.audit());
    for (const folder of listStoreFolders(session.workspace)) await rm(folder, { recursive: true, force: true });
    // The audit has read the originals where they were stored.
    expect((await session.audit()).missing).not.toEqual([]);
  });

  it("compacts by hand, twice, with a picture and a command of the person among what goes", async () => {
    const picture = Buffer.from(renderFlagPng(8)).toString("base64");
    const session = await open({ main: longDay(8) }, SMALL_TAIL);
    const pi = await session.start();
    await pi.prompt(DEMAND, [{ type: "image", data: picture, mimeType: "image/png" }]);
    expect(await pi.ask({ type: "bash", command: "echo tar is out" })).toMatchObject({ success: true });
    await pi.prompt("Go on with red lead.");
    const first = await pi.ask({ type: "compact", customInstructions: "keep the shade of red" });
    await pi.prompt("How many coats?");
    const { requests } = session.api;

    expect(first).toMatchObject({ success: true });
    expect(sent(requests.at(-1))).toContain('The user asked to keep in mind: "keep the shade of red"');
    const [handle = "none"] = sent(requests.at(-1)).match(/recall plimsoll:[0-9a-f]{12}#N/) ?? [];
    await pi.prompt("And how long do they dry? Say it at length.");
    await pi.prompt("Thank you.");
    expect(await pi.ask({ type: "compact" })).toMatchObject({ success: true });
    await pi.prompt("Is the chain untouched?");
    // The segment of the first compaction stands there with its handle.
    expect(sent(requests.at(-1))).toContain(handle);
    expect(sent(requests.at(-1))).toContain("Never touch the anchor chain.");
    expect(listForeign(requests)).toEqual([]);
    expectLawful(await session.audit({ given: [DEMAND, picture] }));
  });

  it("leaves the compaction to pi where the person wants that", async () => {
    const session = await open({ main: longDay(8) }, { ...SMALL_TAIL, settings: { compaction: "native" } });
    const pi = await session.start();
    await pi.prompt(DEMAND);
    await pi.prompt("Go on.");
    await pi.ask({ type: "compact" });

    expect(listForeign(session.api.requests)).not.toEqual([]);
  });

  it("makes a request lighter when carrying has cost what rewriting costs; the next ones leave the same, and so does a resumed session", async () => {
    const session = await open({ main: longDay(60) });
    const pi = await session.start();
    await pi.prompt(DEMAND);
    const { requests } = session.api;
    const at = findLighter(requests);

    expect(at).toBeGreaterThan(0);
    expect(sent(requests[at])).toContain("[LEDGER: ");
    expect(sent(requests[at])).toContain("Never touch the anchor chain.");
    // Only where something was collapsed: what was decided stays as it was decided.
    const decided = pi.events.filter(({ type, entry }) => type === "entry_appended" && isOwnEntry(entry));
    expect((await session.audit()).prefixBreaks.length).toBe(decided.length);

    await pi.close();
    const before = requests.length;
    const again = await session.start(["--continue"]);
    await again.prompt("Go on.");

    const [last, next] = [requests[before - 1], requests[before]];
    const beginning = JSON.stringify(last?.body.messages.slice(0, 3).map(withoutMarks));
    expect(JSON.stringify(next?.body.messages.slice(0, 3).map(withoutMarks))).toBe(beginning);
    expect(sent(next)).toContain("[LEDGER: ");
    expectLawful(await session.audit());
  });

  it.each([
    ["off", "/compact compacts first"],
    ["price", "your next prompt compacts first"],
  ])(
    "shows after two hours what coming back costs before the first word, with early compaction %s",
    async (early, next) => {
      const main = (_: ApiRequest, step: number): Reply =>
        step < 12 ? answer(WORDS.repeat(450), call("bash", { command: `echo ${step}` })) : answer("Planked.");
      const session = await open({ main }, { settings: { early: "off" } });
      const pi = await session.start();
      await pi.prompt(DEMAND);
      await pi.close();
      await session.age(2 * 3_600_000);
      await session.workspace.writeHome(".claude/plimsoll.json", JSON.stringify({ early }));
      const again = await session.start(["--continue"]);
      const shown = () => again.events.flatMap(({ method, message }) => (method === "notify" ? [String(message)] : []));
      await expect.poll(() => shown().join()).toContain("no longer cached");
      const [, tokens, goingOn, compacted] =
        /^([\d.]+)k tokens are no longer cached: going on costs about \$([\d.]+), compacted first \$([\d.]+)/.exec(
          shown().join(),
        ) ?? [];

      expect(shown().join()).toContain(next);
      // What is written for five minutes costs 3.75 dollars a million.
      expect(Number(goingOn) / (Number(tokens) * 0.00375)).toBeCloseTo(1, 1);
      expect(Number(compacted)).toBeLessThan(Number(goingOn) / 2);
      expect(session.api.requests.length).toBe(13);
    },
  );

  it("folds a large result, and gives it back word for word to a model that asks", async () => {
    const command = 'for i in $(seq 1 900); do echo "line $i of the log: all quiet, nothing to see here"; done';
    const script: readonly ((request: ApiRequest) => Reply)[] = [
      () => answer(call("bash", { command })),
      (request) => {
        const [handle = "none"] = sent(request).match(/plimsoll:[0-9a-f]{12}/) ?? [];
        return answer(call("plimsoll_recall", { handle, lines: [440, 441] }));
      },
    ];
    const session = await open({ main: (request, step) => script[step]?.(request) ?? answer("Read.") });
    const pi = await session.start();
    await pi.prompt("Read the log.");
    const { requests } = session.api;

    expect(resultIn(requests[1], "toolu_main_0_0")).toMatch(/^\[FOLDED: /);
    expect(resultIn(requests[2], "toolu_main_1_0")).toContain("line 440 of the log: all quiet, nothing to see here");
    expectLawful(await session.audit());
  });
});
