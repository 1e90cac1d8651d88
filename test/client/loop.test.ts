/** If red: a list of work is compacted in the middle of an item, or is not gone on with where it paused. */

import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call, summary } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { buildPlugin, type Play, play, sent } from "./play.ts";
import { hasTmux, openTui, unwrap } from "./tui.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

/** An answer that was given over so many tokens. */
function at(tokens: number, reply: Answer): Answer {
  return { ...reply, usage: { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } };
}

const RED = 155_000;
const SUBJECTS = ["Plank the hull", "Plank the deck", "Plank the bow", "Plank the stern", "Plank the keel"];
const finish = (taskId: string) => call("TaskUpdate", { taskId, status: "completed" });
const DECIDED = answer("I decided to use tar because oil is thin.", call("Bash", { command: "true" }));
/** A list of five. */
const LIST: readonly Answer[] = [
  answer(call("ToolSearch", { query: "select:TaskCreate,TaskUpdate", max_results: 5 })),
  answer(...SUBJECTS.map((subject) => call("TaskCreate", { subject, description: subject, activeForm: subject }))),
];
// The client writes an answer down while its calls run: after a quick call the hooks may know only the answer before it. So
// the window is full one answer before it counts.
const LOOK = answer(call("Bash", { command: "cat deck.ts" }));
const edit = answer(call("Write", { file_path: "deck.ts", content: "export const deck = 1;\n" }));

describe.each(ENTRY_POINTS)("a list of work meets a full window, in the $name", ({ name, version, plugins }) => {
  const go = { version, plugins, env: { DISABLE_AUTO_COMPACT: "1" } };
  const off = { early: "off" };

  it("[R73] [R75] [R116] at a finished item: saved, a memory begun, named as a clean place, and brought back after the compaction", async () => {
    const main = [
      ...LIST,
      at(RED, DECIDED),
      at(RED, answer(finish("1"))),
      at(RED, answer("Waiting.")),
      answer("On."),
      answer("On."),
    ];
    const session = await open({ main, compaction: [summary("Five tasks, one is done.")] }, off);
    await session.workspace.writeFile(".plimsoll/plan-ship-phase4.md", "1. Plank the hull\n");
    const { sessionId } = await session.run({ ...go, prompts: ["Plank the ship."] });
    const said = sent(session.api.requests.at(-1));
    expect(said).toContain("This is a safe point to compact: 1 of 5 tasks are finished and saved.");
    expect(said).toContain('Run /compact before task 2 of 5 ("Plank the deck").');
    const { cwd } = session.workspace;
    expect(await readFile(join(cwd, ".plimsoll/progress.md"), "utf8")).toContain("Plank the deck");
    expect(await readFile(join(cwd, ".plimsoll/memory/decisions.md"), "utf8")).toContain("tar");
    await expect(access(join(cwd, ".plimsoll/.continue-here.md"))).rejects.toThrow();

    await session.run({ ...go, prompts: ["/compact", "Go on."], resume: sessionId });
    expect(sent(session.api.requests.at(-1))).toContain(
      "Resuming Phase 4. Tasks [1] complete. Currently on task 2. Plan file: .plimsoll/plan-ship-phase4.md",
    );
  });

  it("[R74] [R112] without one in time it is written down, told to the next session, and gone once that has worked", async () => {
    // The module's engine can be built to wait less.
    const [sleepMs, seekMs] = name === "module" ? [9_000, 8_000] : [31_000, 30_000];
    const sleep = answer(call("Bash", { command: `node -e "setTimeout(() => {}, ${sleepMs})"` }));
    const main = [
      ...LIST,
      DECIDED,
      answer(finish("1")),
      at(RED, edit),
      at(RED, LOOK),
      at(RED, sleep),
      at(RED, answer("Paused.")),
    ];
    const session = await open(
      { main: [...main, answer(call("Write", { file_path: "bow.ts", content: "1" })), answer("Done.")] },
      off,
    );
    const quick = join(session.workspace.root, "plugin");
    if (name === "module")
      await buildPlugin(quick, [{ file: "src/policy/steps/looped.ts", name: "SEEK_MS", code: String(seekMs) }]);
    const own = name === "module" ? { ...go, plugins: [quick] } : go;
    await session.run({ ...own, prompts: ["Plank the ship."], timeoutMs: 120_000 });
    const said = sent(session.api.requests.at(-1));
    expect(said).toContain('Finish task 2 of 5 ("Plank the deck"), then run /compact before the next task');
    expect(said).toContain(`Pause after this step: no clean boundary was found within ${seekMs / 1_000} seconds.`);
    const file = join(session.workspace.cwd, ".plimsoll/.continue-here.md");
    const text = await readFile(file, "utf8");
    expect(text).toMatch(/^Written: \d{4}-\d\d-\d\d \d\d:\d\d[^\n]*\nPhase: [\s\S]*^Task: 2 of 5$/m);
    expect(text).toContain("- Plank the deck");
    expect(text).toMatch(/WIP Files:\n- .*deck\.ts/);

    await session.run({ ...go, prompts: ["Where were we?"] });
    const fresh = session.api.requests
      .map((request) => sent(request))
      .findLast((words) => words.includes("Where were we?"));
    expect(fresh).toContain("Notes of a session that paused here, from .plimsoll/.continue-here.md (historical");
    await expect(access(file)).rejects.toThrow();
  });
});

describe("a list of work at RED that the module may compact by itself", () => {
  /** Seven files of so many lines are read, then the first item is finished. */
  const read = async (lines: number) => {
    const steps = [0, 1, 2, 3, 4, 5, 6];
    const reads = steps.map((step) => answer(call("Read", { file_path: `row-${step}.txt` })));
    const main = [...LIST, ...reads, at(RED, DECIDED), at(RED, answer(finish("1"))), answer("On."), answer("On.")];
    const session = await open({ main });
    for (const step of steps) {
      const rows = Array.from({ length: lines }, (_, index) => `row ${step} plank ${index} is dry and sound`);
      await session.workspace.writeFile(`row-${step}.txt`, rows.join("\n"));
    }
    await session.run({ prompts: ["Plank the ship."] });
    const [whole = 0, last = 0] = [-2, -1].map(
      (place) => sent(session.api.requests.at(place)).split(/row \d plank \d+ is dry and sound/).length - 1,
    );
    return { whole, last, actions: await session.actions(), said: sent(session.api.requests.at(-1)) };
  };

  it("[R73] leaves seven tenths of it word for word", async () => {
    const { whole, last, actions } = await read(480);
    expect(actions.find(({ kind }) => kind === "compacted")).toMatchObject({
      why: "the window is nearly full, and 1 of 5 tasks are finished and saved",
    });
    expect(whole).toBe(7 * 480);
    expect(last).toBeLessThan(whole);
    expect(last / whole).toBeGreaterThanOrEqual(0.7);
  });

  it("[R114] is not compacted where nothing would be gained by it: the person is told instead", async () => {
    const { whole, last, actions, said: reported } = await read(3);
    expect(actions.filter(({ kind }) => kind === "compacted")).toEqual([]);
    expect([whole, last]).toEqual([21, 21]);
    expect(reported).toContain("This is a safe point to compact: 1 of 5 tasks are finished and saved.");
  });
});

describe.skipIf(!hasTmux()).each(ENTRY_POINTS)("at the end of a turn, by the $name", ({ version, plugins }) => {
  it("[R85] the person is told on the screen that an audit is worth it", async () => {
    const full = (reply: Answer) => at(135_000, reply);
    const session = await open(
      { main: ["Looked.", "Again.", "Done."].map((words) => full(answer(words))) },
      { early: "off" },
    );
    const args = plugins.flatMap((plugin) => ["--plugin-dir", plugin]);
    const env = { DISABLE_AUTO_COMPACT: "1" };
    const tui = await openTui({ version, workspace: session.workspace, apiUrl: session.api.url, args, env });
    try {
      // The hooks speak with a prompt, and a turn's last line may not be in the transcript yet when it ends.
      await tui.say("Look around.");
      // 2.1.197 asks for something else first, and that takes the first answer.
      await tui.until(/● (?:Looked|Again)\./);
      await tui.say("Again.");
      await tui.until("Again.");
      await tui.say("Once more.");
      expect(unwrap(await tui.until("run plimsoll audit to see"))).toContain(
        "the window is at ORANGE: run plimsoll audit to see",
      );
    } finally {
      tui.close();
    }
  });
});
