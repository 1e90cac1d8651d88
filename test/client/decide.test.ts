/** If red: the module compacts at a bad moment: in the middle of an edit, or before RED where a profile says so. */

import { afterEach, describe, expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { expectLawful } from "../laws/verdict.ts";
import { some } from "../support/depth.ts";
import { countCompactions, findCompacted, PLUGIN, type Play, play } from "./play.ts";
import { hasTmux, openTui, type Tui, unwrap } from "./tui.ts";

const opened: { session: Play; tui?: Tui }[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play({ pace: BRISK, ...given[0] }, given[1]);
  opened.push({ session });
  return session;
}
afterEach(async () => {
  for (const { session, tui } of opened.splice(0)) {
    tui?.close();
    await session.close();
  }
});

const WORDS = "the hull is sound and the planks are dry and the mast stands. ";
const LINES = 'for i in $(seq 1 60); do echo "plank $i measured 12.$i mm, caulking sound"; done';
/** Half of where a window of 200,000 tokens is compacted. At the scale below, a compaction pays at 77,000. */
const HALF_TOKENS = 83_500;

/** Steady work of about 2,300 tokens a step: nothing in it is in the making. */
const look = (step: number): Reply => answer(`Row ${step}. ${WORDS.repeat(40)}`, call("Bash", { command: LINES }));
/** The same with a file just written and its tests red. */
const edit = (step: number): Reply =>
  answer(
    `Row ${step}. ${WORDS.repeat(40)}`,
    call("Write", { file_path: `row-${step}.ts`, content: `export const row = ${step};\n` }),
    call("Bash", { command: `${LINES}; echo "Tests: 1 failed, 2 passed"; exit 1 # npm test` }),
  );

/** So many steps, or until the history was replaced. */
function forSteps(steps: number, step: (step: number) => Reply): (request: ApiRequest, at: number) => Reply {
  const count = countCompactions();
  return (request, at) => (count(request) === 0 && at < steps ? step(at) : answer(`Done ${at}.`));
}

const compactions = async (session: Play) =>
  (await session.actions()).flatMap((action) => (action.kind === "compacted" ? [Number(action.tokensBefore)] : []));
const declined = async (session: Play) =>
  (await session.actions()).flatMap((action) =>
    action.kind === "declined" && action.what === "compaction" ? [String(action.why)] : [],
  );

describe("the decision table decides in the client", () => {
  it("[R68] [R70] nothing is compacted below half of the line while a file is in the making and its tests are red", async () => {
    const quiet = await open({ main: forSteps(50, look), scale: 0.9 });
    await quiet.run({ prompts: ["Measure the planks."], timeoutMs: 150_000 });
    expect((await compactions(quiet))[0]).toBeLessThan(HALF_TOKENS);

    const busy = await open({ main: forSteps(50, edit), scale: 0.9 });
    await busy.run({ prompts: ["Write the rows."], timeoutMs: 150_000 });
    for (const tokens of await compactions(busy)) expect(tokens).toBeGreaterThanOrEqual(HALF_TOKENS);
    expect((await declined(busy))[0]).toMatch(
      /but not now: (?:a file is in the middle of an edit|compact only once its tests pass)/,
    );
    expectLawful(await busy.audit());
  });

  it.each(some(1, ["calls", "percent"] as const))(
    "[R41] [R114] by the profile %s nothing is compacted before RED",
    async (profile) => {
      const session = await open({ main: forSteps(40, look), scale: 1.6 }, { profile });
      await session.run({ prompts: ["Measure the planks."], timeoutMs: 150_000 });
      expect(session.api.requests.length).toBeGreaterThan(40);
      expect(await compactions(session)).toEqual([]);
    },
  );
});

/** Four calls a step, so that the calls grow faster than the load. */
const measure = (step: number): Reply =>
  answer(`Row ${step}.`, ...[1, 2, 3, 4].map((side) => call("Bash", { command: `${LINES} # ${step}.${side}` })));

describe.skipIf(!hasTmux())("an ORANGE that the person approves of", () => {
  it("[R41] is asked about at the next prompt, and compacted where they say so", async () => {
    const session = await play({ main: forSteps(21, measure) }, { profile: "calls", early: "ask" });
    const tui = await openTui({
      version: "2.1.325",
      workspace: session.workspace,
      apiUrl: session.api.url,
      args: ["--plugin-dir", PLUGIN],
    });
    opened.push({ session, tui });
    await tui.say("Measure the planks.");
    expect(unwrap(await tui.until("asked at your next prompt", 90_000))).toContain("a compaction would pay off now");
    await tui.until("Done 21.", 60_000);
    expect(findCompacted(session.api.requests)).toBe(-1);
    await tui.say("Go on.");
    await tui.until(/Compact now at \S+ tokens, before this prompt/);
    // A key that comes at the moment at which the question comes up is lost (seen in 2.1.325).
    await expect
      .poll(async () => {
        await tui.press("Enter");
        return tui.screen();
      })
      .not.toContain("1. Compact now");
    await tui.until("Done 22.", 30_000);
    // The line comes once the request was measured.
    await tui.until(/→ \S+ tokens: /, 30_000);
    expect(findCompacted(session.api.requests)).toBeGreaterThan(20);
  });
});
