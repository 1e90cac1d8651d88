/** If red: a session that grows long is not warned, saved, folded and let go as the first seed asks. */

import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { answer, batchCalls, call } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { ENTRY_POINTS, type EntryPoint, openEntryPoint } from "../client/entry-points.ts";
import { type Play, resultIn, sent } from "../client/play.ts";

/** The first seed as one story: a session that grows long, from its mode to the compaction and beyond. */

const PROGRAM = path.join(import.meta.dirname, "../../dist/plimsoll.cjs");

const opened: Play[] = [];
async function open(...given: Parameters<typeof openEntryPoint>): Promise<Play> {
  const session = await openEntryPoint(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const bash = (command: string, id?: string): Answer => answer(call("Bash", { command }, id));

/** An answer that was given over so many tokens. */
function at(tokens: number, reply: Answer): Answer {
  return { ...reply, usage: { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } };
}

/** What a person reads who asks the program in the project's folder. */
async function ask({ workspace }: Play, ...words: readonly string[]): Promise<string> {
  const options = { cwd: workspace.cwd, env: { PATH: process.env.PATH, HOME: workspace.home, LANG: "C.UTF-8" } };
  return (await promisify(execFile)(process.execPath, [PROGRAM, ...words], options)).stdout;
}

const readSaved = ({ workspace }: Play, name: string): Promise<string> =>
  readFile(path.join(workspace.cwd, ".plimsoll", name), "utf8");

/** The newest report in a request: what the model was told when the person asked. */
const reportIn = (session: Play): string => sent(session.api.requests.at(-1)).split("## Context Health").at(-1) ?? "";

const FULL = "How full is the context window?";
const TASK = "Seal the hull. This is urgent, by Friday. Never use nails.";
const SHIP = "export function seal() {\n  return 1;\n}\n";

/** Calls a request: the first five, and then on to 101. */
const BATCHES = [1, 1, 1, 1, 1, ...batchCalls(5, 101, [40, 65])];

/** Three long files are read, one is written, and then it goes on. */
function longWork(cwd: string, step: number): Answer {
  if (step < 3) return answer(call("Read", { file_path: `${cwd}/${step}.txt` }));
  const file_path = `${cwd}/hull.ts`;
  if (step === 3)
    return answer("I decided to use tar because oil is thin.", call("Write", { file_path, content: SHIP }));
  if (step === 4) return answer(call("Edit", { file_path, old_string: "return 1", new_string: "return 2" }));
  const calls = Array.from({ length: BATCHES[step] ?? 0 }, () => call("Bash", { command: "true" }));
  return calls.length > 0 ? answer(...calls) : answer("Done for now.");
}

describe.each(ENTRY_POINTS)("a long session through the $name", (entryPoint: EntryPoint) => {
  it("[R1] [R2] [R3] [R4] [R5] [R6] [R198] takes up each mode that is written down, once, and no other", async () => {
    const write = (mode: string) => bash(`mkdir -p .plimsoll && echo ${mode} > .plimsoll/active-context.md`);
    const modes = ["dev", "../../secret", "research", "review"];
    const main = [...modes.flatMap((mode) => [write(mode), answer(`Now ${mode}.`)]), answer("Well."), answer("On.")];
    const session = await open(entryPoint, { main });
    await session.workspace.writeFile("secret.md", "SECRET RULES");
    const { sessionId } = await session.run({ prompts: ["One.", "Two.", "Three.", "Four.", "Five."] });
    expect(sent(session.api.requests[0])).not.toContain("Active Context");
    const all = sent(session.api.requests.at(-1));
    for (const mode of ["dev", "research", "review"])
      expect(all.split(`=== Active Context: ${mode} mode ===`)).toHaveLength(2);
    for (const rule of ["80 %", "Confirmed", "PRAISE"]) expect(all).toContain(rule);
    expect(all).not.toContain("SECRET RULES");
    await session.run({ prompts: ["/compact", "Six."], resume: sessionId });
    expect(sent(session.api.requests.at(-1))).toContain("=== Active Context: review mode ===");
  });

  it("[R16] [R17] [R25] [R31] [R41] [R42] [R43] [R44] [R46] [R48] [R61] [R115] warns by calls, saves, sums up, and counts anew once it is compacted", async () => {
    let cwd = "";
    const session = await open(
      entryPoint,
      { main: (_, step) => longWork(cwd, step) },
      { profile: "calls", early: "remind" },
    );
    cwd = session.workspace.cwd;
    for (const name of [0, 1, 2]) await session.workspace.writeFile(`${name}.txt`, "plank\n".repeat(501));
    const { sessionId } = await session.run({ prompts: [TASK], timeoutMs: 150_000 });

    const heard = session.api.requests.map(sent);
    /** The calls that were made before it is first said. */
    const firstHeard = (words: RegExp): number => {
      const requests = heard.findIndex((text) => words.test(text));
      return BATCHES.slice(0, requests).reduce((calls, count) => calls + count, 0);
    };
    expect(firstHeard(/\d tool calls\. /)).toBe(40);
    expect(firstHeard(/40 tool calls\. Load only essential files\./)).toBe(40);
    expect(firstHeard(/65 tool calls\. Recommend \/compact at next phase boundary/)).toBe(65);
    expect(firstHeard(/Context CRITICAL \(101 tool calls, likely near limit\)\. State saved to \.plimsoll\/\./)).toBe(
      101,
    );
    expect((await session.actions()).filter(({ kind }) => kind === "compacted")).toEqual([]);

    expect(await readSaved(session, "decisions.md")).toMatch(
      /\*\*Rationale:\*\* because oil is thin\.[\s\S]*\*\*Impact:\*\* .*hull\.ts/,
    );
    expect(await readSaved(session, "progress.md")).toContain("- [ ] Seal the hull.");
    expect(await readSaved(session, "checkpoint.md")).toMatch(/Phase: [\w ]+\n {2}Asked: Seal the hull[\s\S]*hull\.ts/);

    expect(await ask(session, "health", "--profile", "calls")).toMatch(/^RED [\s\S]*101 tool calls, 3 large reads/m);
    expect(await ask(session, "summary")).toMatch(
      new RegExp(
        [
          "## Compaction Summary \\(generated at 101\\)",
          "### Topics Covered\n- Seal the hull",
          "### Key Decisions Made\n- I decided to use tar: because oil is thin\\. — affects hull\\.ts",
          "### Active Threads\n- [^\n]*Seal the hull[\\s\\S]*- Current file: hull\\.ts:2, current function/section: seal",
          "- Partial progress: done \\d",
          '### Emotional/Priority Context[\\s\\S]*"This is urgent, by Friday\\."',
          "### Continuation Point\n> Resume: [^\n]{20}",
        ].join("[\\s\\S]*"),
      ),
    );

    await session.run({ prompts: [FULL], resume: sessionId });
    for (const line of [
      "- **Tool Calls**: 101\n- **Status**: RED\n- **Recommendation**: compact-immediately\n- **Note**: Tool count is a",
      "- Decisions: 1 saved to .plimsoll/",
      "- Blockers: ",
    ])
      expect(reportIn(session)).toContain(line);
    await session.run({ prompts: ["/compact", FULL], resume: sessionId });
    expect(reportIn(session)).toContain("- **Tool Calls**: 101, 0 since the compaction\n- **Status**: GREEN\n");
    expect(await ask(session, "health", "--profile", "calls")).toMatch(/^GREEN /m);
    for (const kept of ["Never use nails.", "oil is thin"]) expect(sent(session.api.requests.at(-1))).toContain(kept);
  });

  it("[R55] [R56] [R59] [R60] [R61] [R62] [R64] folds what is large, keeps it for its owner alone, and gives it back after a compaction", async () => {
    const main = [
      bash("cat build.log", "toolu_big"),
      bash("cat small.log", "toolu_small"),
      bash("cat build.log; false", "toolu_bad"),
      answer("Read."),
      answer("On."),
    ];
    const session = await open(entryPoint, { main }, { policy: "thrifty", preview: "classic" });
    const lines = Array.from({ length: 300 }, (_, index) => `step ${index}: planked and caulked`);
    const log = [`TOKEN=ghp_${"a1".repeat(18)}`, ...lines].join("\n");
    await session.workspace.writeFile("build.log", log);
    await session.workspace.writeFile("small.log", "x".repeat(4000));
    await session.run({ prompts: ["Read the logs.", "/compact", "Go on."] });
    const [shown, small, bad] = ["toolu_big", "toolu_small", "toolu_bad"].map((id) =>
      resultIn(session.api.requests[3], id),
    );
    expect(shown).toMatch(
      /^\[FOLDED: Bash output — 301 lines, \d+ chars\]\nPreview \(first 10 lines\):\nTOKEN=\[REDACTED\]\n/,
    );
    expect(shown).toContain("Use Read to access the full artifact if needed.");
    expect(small).toBe("x".repeat(4000));
    expect(bad).toContain(lines.at(-1));

    const [artifact = ""] = /\.plimsoll\/artifacts\/artifact-[\w-]+-Bash\.md/.exec(shown ?? "") ?? [];
    const file = path.join(session.workspace.cwd, artifact);
    expect(await readFile(file, "utf8")).toMatch(
      /^# Artifact: Bash output\nGenerated: \S+\nCommand: cat build\.log\n\n/,
    );
    expect((await readFile(file, "utf8")).endsWith(log)).toBe(true);
    expect((await stat(path.dirname(file))).mode & 0o077).toBe(0);
    expect(await readdir(path.dirname(file))).toContain(".gitignore");

    const [handle = ""] = /plimsoll:[0-9a-f]{12}/.exec(shown ?? "") ?? [];
    // The client's own summary is scripted to name nothing; the module's record always does.
    if (entryPoint.name === "module") expect(sent(session.api.requests.at(-1))).toContain(handle);
    expect(await ask(session, "artifacts", "show", handle)).toContain(lines.at(-1));
  });

  it("[R28] [R29] [R30] [R33] [R34] [R90] [R92] lets calls pass at ORANGE, saves before it refuses at RED, and lets go after a compaction", async () => {
    const main = [
      ...[1, 2].map(() => at(135_000, bash("echo pass"))),
      at(135_000, answer("Amber.")),
      at(136_000, answer("Brief.")),
      ...[1, 2].map(() => at(156_000, bash("echo pass"))),
      at(156_000, answer("Refused.")),
      at(30_000, bash("echo light", "toolu_after")),
      at(30_000, answer("Light.")),
    ];
    const session = await open(entryPoint, { main }, { early: "off", blockAtRed: true, density: "auto" });
    const env = { DISABLE_AUTO_COMPACT: "1" };
    const { sessionId } = await session.run({ prompts: ["Go.", `stop caveman. ${FULL}`], env });
    const amber = sent(session.api.requests.at(-1));
    expect(amber).toMatch(/Context at 6\d%\. Recommend \/compact at next phase boundary/);
    expect(amber).toContain("Caveman mode is on");
    expect(amber).toContain("Caveman mode released");
    expect(amber).not.toContain("refusal 1 of 3");
    expect(reportIn(session)).toMatch(/- \*\*Status\*\*: ORANGE[\s\S]*- boundary: now: /);

    await session.run({ prompts: ["Go on."], resume: sessionId, env });
    const red = sent(session.api.requests.at(-1));
    expect(red).toContain(
      "context usage is critical (measured): run /compact (refusal 1 of 3; after the last one, calls are allowed again)",
    );
    expect(red).toContain("State saved to .plimsoll/. Run /compact now.");
    expect(await readdir(path.join(session.workspace.cwd, ".plimsoll"))).toContain("progress.md");
    const signals = (await session.actions()).filter(({ kind }) => kind === "signal");
    expect(signals[0]).toMatchObject({ signal: { mode: "caveman", scope: "session", source: "context-orange" } });

    await session.run({ prompts: ["/compact", "Once more."], resume: sessionId, env });
    expect(resultIn(session.api.requests.at(-1), "toolu_after")).toBe("light");
  });

  it("[R37] [R40] [R65] [R70] [R86] [R98] [R103] answers an agent that asks the program before it loads, compacts or sends", async () => {
    const run = (words: string, id: string): Answer => bash(`node ${PROGRAM} ${words}`, id);
    const main = [
      run('retrieve "wrong total in the cart"', "toolu_retrieve"),
      run("decide research planning; true", "toolu_yes"),
      run("decide quality verify; true", "toolu_no"),
      run("audit --no-start", "toolu_audit"),
      run("preview --caller team --files src/cart-total.ts", "toolu_preview"),
      answer("Known."),
    ];
    const session = await open(entryPoint, { main });
    for (const name of ["cart-total", "cart-lines", "cart-discount", "login"])
      await session.workspace.writeFile(`src/${name}.ts`, `export function ${name.replace("-", "")}(cart, total) {}\n`);
    await session.run({ prompts: ["Fix the total."] });
    const said = (id: string): string => resultIn(session.api.requests.at(-1), id);
    expect(said("toolu_retrieve")).toMatch(/stopped after [1-3] cycles?: [\s\S]*src\/cart-total\.ts/);
    expect(said("toolu_yes")).toMatch(/^YES/);
    expect(said("toolu_no")).toMatch(/^NO/);
    expect(said("toolu_audit")).toContain("tools x 500 + agents x 300 + CLAUDE.md");
    expect(said("toolu_preview")).toMatch(/^proceed: \d+ tokens for team \(warns at 30\.0k, blocks at 80\.0k\)/);
  });
});
