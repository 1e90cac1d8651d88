/** If red: the model or the person does not hear how full the window is, or hears that something was saved which was not. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, batchCalls, call } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { type Play, play, sent } from "./play.ts";
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

/** An answer that was given over so many tokens. */
function at(tokens: number, reply: Answer): Answer {
  return { ...reply, usage: { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } };
}

const run = (command = "true", id?: string) => answer(call("Bash", { command }, id));

async function readActions({ workspace }: Play, name: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const root = join(workspace.home, ".claude/data/plimsoll/sessions");
  const texts = await Promise.all(
    (await readdir(root)).map((id) =>
      readFile(join(root, id, `deeds-${name === "module" ? "module" : "hook"}.jsonl`), "utf8").catch(() => ""),
    ),
  );
  return texts.flatMap((text) => text.split("\n").filter((line) => line !== "")).map((line) => JSON.parse(line));
}

describe.each(ENTRY_POINTS)("the $name speaks", ({ name, version, plugins }) => {
  const go = { version, plugins, prompts: ["I decided to use tar because oil is thin. Go."] };
  const off = { early: "off" };

  it("[R14] [R16] [R26] [R27] [R32] [R8] by calls: the exact words at 50, 80 and 121, the last after a save; reads of 500 lines change nothing", async () => {
    const names = ["a.log", "b.log", "c.log"];
    const calls = batchCalls(names.length, 121, [50, 80]).map((count) =>
      answer(...Array.from({ length: count }, () => call("Bash", { command: "true" }))),
    );
    const session: Play = await open(
      {
        main: (_, step) => {
          const file = names[step];
          if (file !== undefined) return answer(call("Read", { file_path: join(session.workspace.cwd, file) }));
          return calls[step - names.length] ?? answer("Done.");
        },
      },
      { ...off, profile: "calls" },
    );
    const text = Array.from({ length: 500 }, (_, index) => `plank ${index}`).join("\n");
    for (const file of names) await session.workspace.writeFile(file, text);
    await session.run({ ...go, timeoutMs: 150_000 });
    const all = sent(session.api.requests.at(-1));
    expect(all).toContain("50 tool calls. Load only essential files. Avoid reading full files when Grep will do.");
    expect(all).toContain("80 tool calls. Recommend /compact at next phase boundary (after current module completes).");
    expect(all).toContain(
      "Context CRITICAL (121 tool calls, likely near limit). State saved to .plimsoll/. Run /compact now.",
    );
    expect(await readdir(join(session.workspace.cwd, ".plimsoll"))).toContain("progress.md");
  });

  it("[R20] [R21] by percent: 65 is a warning, the rise to 71 is said at once, and ORANGE once up to 85", async () => {
    const main = [
      ...[130_500, 130_500].map((tokens) => at(tokens, run())),
      ...[142_500, 142_500, ...Array(4).fill(152_000)].map((tokens: number) => at(tokens, run())),
      ...[...Array(2).fill(172_000)].map((tokens: number) => at(tokens, run())),
      at(172_000, answer("Done.")),
    ];
    const session = await open({ main }, { ...off, profile: "percent" });
    await session.run({ ...go, env: { DISABLE_AUTO_COMPACT: "1" } });
    const all = session.api.requests.map((request) => sent(request)).join("\n");
    expect(all).toContain("Context at 65%. Load only essential files.");
    expect(all).toContain("Context at 71%. Recommend /compact at next phase boundary");
    expect(all).not.toMatch(/Context (?:at|CRITICAL \()76%/);
    expect(all).toContain("Context CRITICAL (86%). State saved to .plimsoll/. Run /compact now.");
  });

  it("[R29] [R30] [R93] [R117] at RED saves, then tells, and the signal stands in the journal", async () => {
    const main = [...Array(2).fill(at(155_000, run())), at(155_000, answer("Done."))];
    const session = await open({ main }, { ...off, density: "auto" });
    await session.run({ ...go, env: { DISABLE_AUTO_COMPACT: "1" } });
    const all = sent(session.api.requests.at(-1));
    expect(all).toMatch(/Context CRITICAL \(7\d%\)\. State saved to \.plimsoll\/\. Run \/compact now\./);
    expect(await readdir(join(session.workspace.cwd, ".plimsoll"))).toContain("progress.md");
    expect((await readActions(session, name)).filter(({ kind }) => kind === "signal")).toMatchObject([
      { signal: { type: "output.density.set", mode: "caveman", scope: "session", source: "context-red" } },
    ]);
  });

  it("[R32] says that nothing is saved where nothing can be", async () => {
    const main = [...Array(2).fill(at(155_000, run())), at(155_000, answer("Done."))];
    const session = await open({ main }, off);
    await session.workspace.writeFile(".plimsoll", "a file in the place of the folder");
    await session.run({ ...go, env: { DISABLE_AUTO_COMPACT: "1" } });
    const all = sent(session.api.requests.at(-1));
    expect(all).toMatch(/Context CRITICAL \(7\d%\)\. State NOT saved: /);
    expect(all).not.toContain("State saved to");
  });

  it("[R33] saves before it refuses, and its refusals are no errors of the session", async () => {
    const main = [...[1, 2, 3, 4, 5].map((step) => at(155_000, run("echo no", `toolu_${step}`))), answer("Done.")];
    const session = await open({ main }, { ...off, blockAtRed: true });
    await session.run({ ...go, env: { DISABLE_AUTO_COMPACT: "1" } });
    const refused = session.api.requests
      .map((request) => sent(request))
      .find((text) => text.includes("refusal 1 of 3"));
    expect(refused).toContain(
      "context usage is critical (measured): run /compact (refusal 1 of 3; after the last one, calls are allowed again)",
    );
    expect(refused).toContain("State saved to .plimsoll/. Run /compact now.");
    const actions = await readActions(session, name);
    expect(actions.filter(({ kind }) => kind === "blocked").length).toBe(3);
    const progress = await readFile(join(session.workspace.cwd, ".plimsoll/progress.md"), "utf8");
    expect(progress).not.toContain("context is critical");
  });

  it("[R10] [R11] [R35] [R36] [R87] answers a question about the window with the report and what helps", async () => {
    const main = [at(155_000, answer("I decided to use tar because oil is thin.")), at(156_000, answer("Full."))];
    const session = await open({ main }, off);
    const prompts = ["Seal it.", "How full is the context window? Next is an unrelated task."];
    await session.run({ ...go, prompts, env: { DISABLE_AUTO_COMPACT: "1" } });
    const all = sent(session.api.requests.at(-1));
    for (const line of [
      "## Context Health",
      "- **Utilization**: 78%",
      "- **Status**: RED",
      "- **Recommendation**: compact-immediately",
      "### Critical Context (preserved on compaction)\n- Task: none recorded",
      "- Decisions: 0 saved to .plimsoll/",
      "### Context Budget",
      "- Fresh start: save the state and begin a new session, because the next work needs nothing that is in the window.",
      "- Compress:",
      "- Select:",
    ])
      expect(all).toContain(line);
    const [report = ""] = /## Context Health[\s\S]*?### Context Budget\n(?:- \*\*.*\n)+/.exec(all) ?? [];
    expect(report.length, report).toBeLessThanOrEqual(801);
    expect(all).toMatch(/- \*\*Baseline cost\*\*: ~15\dk tokens \(7\d(?:\.\d)?% of estimated window\)/);
  });

  it("[R94] [R95] writes in full after the model's own rm -rf, and at the first response of a task", async () => {
    const session = await open({ main: [answer("Hm."), run("rm -rf ./gone"), answer("Gone."), answer("x")] });
    await session.run({ ...go, prompts: ["caveman mode", "Remove it."] });
    const all = sent(session.api.requests.at(-1));
    expect(all).toContain("write it in full (first response of a task), then resume");
    expect(all).toContain("write it in full (confirmation of something that cannot be undone), then resume");
    expect((await readActions(session, name)).filter(({ kind }) => kind === "signal")).toMatchObject([
      { signal: { mode: "caveman", source: "user" } },
    ]);
  });
});

describe.each(ENTRY_POINTS)("the command of the $name", ({ name, version, plugins }) => {
  it("[R90] writes normally again after it with off", async () => {
    const caveman = name === "module" ? "/caveman" : "/plimsoll-classic:caveman";
    const session = await open({ main: Array.from({ length: 6 }, () => answer("Aye.")) });
    const prompts = [caveman, "Go on.", `${caveman} off`, "Go on."];
    const { events } = await session.run({ version, plugins, prompts });
    expect(JSON.stringify(events)).not.toContain("Unknown command");
    const all = sent(session.api.requests.at(-1));
    expect(all).toContain("Caveman mode is on");
    expect(all.lastIndexOf("Caveman mode released")).toBeGreaterThan(all.lastIndexOf("Caveman mode is on"));
  });
});

describe.skipIf(!hasTmux()).each(ENTRY_POINTS)("on the screen, by the $name", ({ version, plugins }) => {
  it("[R6] [R90] the person is warned of a mode that there is none of, and /caveman, typed bare, switches terse writing on", async () => {
    const session = await play({ main: [answer("One."), answer("Two."), answer("Three."), answer("Four.")] });
    await session.workspace.writeFile(".plimsoll/active-context.md", "bogusmode\n");
    const args = plugins.flatMap((plugin) => ["--plugin-dir", plugin]);
    const tui = await openTui({ version, workspace: session.workspace, apiUrl: session.api.url, args });
    opened.push({ session, tui });
    await tui.say("Go.");
    expect(unwrap(await tui.until("names no known mode"))).toContain(
      '.plimsoll/active-context.md names no known mode ("bogusmode"), so no mode was applied.',
    );
    await tui.until("One.");
    await tui.say("/caveman");
    await tui.until(/terse writing is on|Two\./);
    await tui.say("Go on.");
    const said = () => sent(session.api.requests.at(-1));
    await expect.poll(said, { timeout: 30_000 }).toContain("Caveman mode is on");
  });

  it("[R92] [R194] the person reads at RED what only they can do, and stopping caveman there is obeyed with a warning", async () => {
    const session = await play(
      // Two calls: 2.1.197 writes an answer down once it has ended, so the load of the first is known at the second.
      {
        main: [
          ...[1, 2].map(() => at(155_000, run())),
          ...["One.", "Two.", "Three."].map((text) => at(155_000, answer(text))),
        ],
      },
      {
        early: "off",
        density: "auto",
      },
    );
    const args = plugins.flatMap((plugin) => ["--plugin-dir", plugin]);
    const env = { DISABLE_AUTO_COMPACT: "1" };
    const tui = await openTui({ version, workspace: session.workspace, apiUrl: session.api.url, args, env });
    opened.push({ session, tui });
    await tui.say("Go.");
    expect(unwrap(await tui.until("One."))).toMatch(
      /Context CRITICAL \(7\d%\)\. State saved to \.plimsoll\/\. Run \/compact now\./,
    );
    expect(sent(session.api.requests.at(-1))).toContain("Only the user can run /compact");
    await tui.say("stop caveman");
    expect(unwrap(await tui.until("Caveman mode is off as you asked"))).toContain("Run /compact soon.");
  });
});
