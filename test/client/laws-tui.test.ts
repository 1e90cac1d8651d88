/** If red: what a person takes back or stops in the terminal comes back later, or more goes than they took back. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { expectLawful } from "../laws/verdict.ts";
import { PLUGIN, type Play, play, sent } from "./play.ts";
import { hasTmux, openTui, type Tui } from "./tui.ts";

const opened: { readonly session: Play; readonly tui: Tui }[] = [];
async function open(...given: Parameters<typeof play>): Promise<{ session: Play; tui: Tui }> {
  const session = await play(...given);
  const { workspace, api } = session;
  const tui = await openTui({ version: "2.1.325", workspace, apiUrl: api.url, args: ["--plugin-dir", PLUGIN] });
  opened.push({ session, tui });
  return { session, tui };
}
afterEach(async () => {
  for (const { session, tui } of opened.splice(0)) {
    tui.close();
    await session.close();
  }
});

/** A step of work, then a word by which its end is seen. */
function twoSteps(_: ApiRequest, step: number): Answer {
  return step % 2 === 0
    ? answer(
        `Step ${step}.`,
        call("Bash", { command: `echo out ${step}` }),
        call("Bash", { command: `echo side ${step}` }),
      )
    : answer(`Finished ${step}.`);
}

async function compact(tui: Tui, times: number): Promise<void> {
  await tui.say("/compact");
  await tui.until(new RegExp(`(?:Compacted[\\s\\S]*){${times}}`), 20_000);
}

/** Goes back to so many points before now. */
async function rewind(tui: Tui, points: number): Promise<void> {
  await tui.say("/rewind");
  await tui.until("Enter to continue");
  for (let point = 0; point < points; point++) {
    await tui.press("Up");
  }
  await tui.press("Enter");
  await wait(1_500);
  await tui.press("Enter");
  await wait(2_000);
  // The words of that point stand in the prompt, to be changed.
  await tui.press("C-u");
  await wait(500);
}

// tmux is a Debian package; the test run installs it where it can.
describe.skipIf(!hasTmux())("what a person takes back in the terminal is all that goes", () => {
  it("in a rewind to before a compaction, and the record tells nothing of it", async () => {
    const { session, tui } = await open({ main: twoSteps });
    await tui.say("Paint the bow.");
    await tui.until("Finished 1.");
    await tui.say("Paint the stern.");
    await tui.until("Finished 3.");
    await compact(tui, 1);
    await tui.say("Paint the anchor red.");
    await tui.until("Finished 5.");
    await rewind(tui, 1);
    await tui.say("Paint the rudder.");
    await tui.until("Finished 7.");
    await compact(tui, 1);
    await tui.say("Go on.");
    await tui.until("Finished 9.");
    const last = sent(session.api.requests.at(-1));
    for (const words of ["Paint the bow.", "Paint the stern.", "Paint the rudder."]) expect(last).toContain(words);
    expect(last).not.toContain("anchor red");
    expect(last.match(/replaced by this record/g)).toHaveLength(1);
    expectLawful(await session.audit());
  });

  it("in a rewind over two compactions", async () => {
    const { session, tui } = await open({ main: twoSteps });
    for (const [at, part] of ["bow", "stern", "deck"].entries()) {
      await tui.say(`Paint the ${part}.`);
      await tui.until(`Finished ${at * 2 + 1}.`);
      if (at < 2) await compact(tui, 1);
    }
    const before = session.api.requests.length;
    await rewind(tui, 12);
    await tui.say("Paint the rudder.");
    await tui.until("Finished 7.");
    await compact(tui, 1);
    await tui.say("Go on.");
    await tui.until("Finished 9.");
    expect(session.api.requests.length).toBe(before + 4);
    for (const request of session.api.requests.slice(before))
      for (const gone of ["Paint the stern.", "Paint the deck."]) expect(sent(request)).not.toContain(gone);
    expectLawful(await session.audit());
  });

  it("where they stop a tool, and where they stop an answer", async () => {
    const { session, tui } = await open({
      main: (_, step) => {
        if (step === 0) return answer("I wait.", call("Bash", { command: "touch begun; sleep 30" }));
        return step < 12
          ? answer(`Row ${step}.`, call("Bash", { command: `echo row ${step}` }))
          : answer(`Finished ${step}.`);
      },
    });
    await tui.say("Wait for the tide.");
    await tui.until("I wait.");
    // Stopped before its first call runs, a prompt is taken back by the client.
    await expect.poll(() => existsSync(join(session.workspace.cwd, "begun")), { timeout: 30_000 }).toBe(true);
    await wait(2_500);
    await tui.press("Escape");
    await tui.until(/[Ii]nterrupted/);
    await tui.say("Never mind the tide.");
    await tui.until("Row 3.");
    await tui.press("Escape");
    await wait(2_000);
    await tui.say("Go on with the rows.");
    await tui.until(/Finished \d+\./, 60_000);
    await compact(tui, 1);
    await tui.say("And on.");
    await expect.poll(() => sent(session.api.requests.at(-1)), { timeout: 30_000 }).toContain("And on.");
    const last = sent(session.api.requests.at(-1));
    for (const words of ["Wait for the tide.", "Never mind the tide.", "Go on with the rows."])
      expect(last).toContain(words);
    expectLawful(await session.audit());
  });
});
