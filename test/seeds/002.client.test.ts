/** If red: memory, rules and what is forgotten are not as the third seed asks. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call, summary } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { ENTRY_POINTS, openEntryPoint } from "../client/entry-points.ts";
import { type Play, resultIn, sent } from "../client/play.ts";
import { expectLawful } from "../laws/verdict.ts";

/** Seed 002 as far as it lives in a client; what it means for one's own harness is in `002.deep.test.ts`. */

const PROGRAM = join(import.meta.dirname, "../../dist/plimsoll.cjs");

const opened: Play[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

/** What a person types in the project of a session. */
async function type({ workspace: { home, cwd } }: Play, ...words: readonly string[]): Promise<string> {
  const options = { cwd, env: { PATH: process.env.PATH, HOME: home } };
  // `lint` ends with 1 where it has found something, and says it all the same.
  return promisify(execFile)(process.execPath, [PROGRAM, ...words], options).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout?: string }) => stdout ?? "",
  );
}

const RULE = "Caulk every seam from the keel up. ";
const LOG = Array.from({ length: 900 }, (_, line) => `[info] plank ${line} is dry`).join("\n");

function work(step: number): Reply {
  const command = `for i in $(seq 1 60); do echo "step ${step} plank $i measured 12.$i mm, no leak"; done`;
  return answer(`Row ${step}. ${"the hull is sound and dry. ".repeat(60)}`, call("Bash", { command }));
}

describe.each(ENTRY_POINTS)("seed 002 in the client, by the $name", (entryPoint) => {
  async function open(...given: Parameters<typeof openEntryPoint> extends [unknown, ...infer Rest] ? Rest : never) {
    const session = await openEntryPoint(entryPoint, ...given);
    opened.push(session);
    return session;
  }

  it("[R122] [R126] [R133] [R135] [R136] [R137] [R145] [R146] begins with index and rules, each in its budget, cuts in sight and costs on record", async () => {
    const session = await open({ main: [answer("Aye.")] });
    const { writeFile } = session.workspace;
    const index = Array.from({ length: 230 }, (_, line) => `- [T${line}](t${line}.md)`);
    await writeFile(".plimsoll/memory/MEMORY.md", index.join("\n"));
    await writeFile(".plimsoll/memory/t0.md", "# T0\n- 2026-01-02: The pump sticks.\n");
    await writeFile(".plimsoll/rules/long.md", RULE.repeat(200));
    await writeFile(".plimsoll/rules/again.md", "Coil the ropes.");
    await writeFile(".plimsoll/rules/once.md", "Coil the ropes.");
    const { sessionId } = await session.run({ prompts: ["Go."] });
    const said = sent(session.api.requests[0]);
    for (const line of ["[T0](t0.md)", "[T198](t198.md)"]) expect(said).toContain(line);
    expect(said).not.toContain("[T229](t229.md)");
    expect(said).not.toContain("The pump sticks.");
    expect(said.split("Coil the ropes.")).toHaveLength(2);
    const rules = said.split(RULE.trim()).length - 1;
    expect(rules * RULE.length).toBeLessThanOrEqual(4000);
    expect(rules * RULE.length).toBeGreaterThan(3500);
    expect(said.split("[truncated]").length - 1).toBeGreaterThanOrEqual(2);
    expect(await type(session, "stats", "--injections")).toMatch(/rules\s+1\s+/);
    await session.run({ prompts: ["Go on."], resume: sessionId });
    expect(sent(session.api.requests.at(-1)).split("[T0](t0.md)")).toHaveLength(2);
  });

  it("[R123] [R111] finds the instruction that has gone stale, and the two that disagree", async () => {
    const session = await open({ main: [answer("Aye.")] });
    await session.workspace.writeFile("CLAUDE.md", "- Always use npm.\n- The tests are in `src/old/tests.ts`.\n");
    await session.workspace.writeHome(".claude/CLAUDE.md", "- Never use npm.\n");
    const found = await type(session, "lint");
    expect(found).toContain("src/old/tests.ts");
    expect(found).toMatch(/Always use npm[\s\S]*Never use npm|Never use npm[\s\S]*Always use npm/);
  });

  it("[R127] [R130] [R131] [R138] [R142] [R152] [R155] truncates at the tool, forgets behind a boundary, loses nothing, and every request is on record", async () => {
    const session = await open(
      {
        main: [
          answer("I decided to use tar because oil is thin.", call("Bash", { command: "cat planks.log" })),
          ...Array.from({ length: 9 }, (_, step) => work(step)),
          answer("Measured."),
          answer("On we go."),
        ],
        compaction: [summary("Nine rows were measured.")],
      },
      { policy: "thrifty" },
    );
    await session.workspace.writeFile("planks.log", LOG);
    await session.workspace.writeFile(".plimsoll/rules/ropes.md", "Coil the ropes.");
    const run = await session.run({ prompts: ["Measure the planks. Never touch the anchor."] });
    const folded = resultIn(session.api.requests[1], "toolu_main_0_1");
    expect(folded).toContain("[FOLDED: Bash output");
    expect(folded.length).toBeLessThan(2000);

    const { sessions } = await session.run({ prompts: ["/compact", "Go on."], resume: run.sessionId });
    const after = sent(session.api.requests.at(-1));
    expect(after).not.toContain("step 1 plank 31 measured");
    expect(after).toContain("Never touch the anchor.");
    expect(after).toContain("tar because oil is thin");
    if (entryPoint.name === "module") {
      expect(session.api.requests.some(({ lane }) => lane === "compaction")).toBe(false);
      expect(after).toMatch(/plimsoll:[0-9a-f]{12}#/);
      expectLawful(await session.audit());
    } else expect(after).toContain("Nine rows were measured.");
    // What lasts is saved next to what is forgotten, also into a folder that was there before.
    expect(await readFile(join(session.workspace.cwd, ".plimsoll/decisions.md"), "utf8")).toContain("tar");
    const [{ transcript = "" } = {}] = sessions.filter(({ sessionId }) => sessionId === run.sessionId);
    expect(await readFile(transcript, "utf8")).toContain('"subtype":"compact_boundary"');

    const { requests } = JSON.parse(await type(session, "inspect", "--requests", "--json"));
    expect(requests.length).toBeGreaterThanOrEqual(12);
  });

  it("[R147] [R148] [R150] repeats rules with each prompt where that is set, and keeps ignored folders out of the window", async () => {
    const session = await open(
      { main: [answer(call("Bash", { command: "cat node_modules/pump/index.js" })), answer("No."), answer("Aye.")] },
      { remindEachPrompt: true },
    );
    await session.workspace.writeFile("node_modules/pump/index.js", "POLLUTION");
    await session.workspace.writeFile(".plimsoll/rules/ropes.md", "Coil the ropes.");
    await session.run({ prompts: ["Read the pump.", "Go on."] });
    const last = sent(session.api.requests.at(-1));
    expect(last.split("Match effort to request complexity. No preambles.").length - 1).toBeGreaterThanOrEqual(2);
    expect(last.split("Coil the ropes.").length - 1).toBeGreaterThanOrEqual(2);
    expect(last).not.toContain("POLLUTION");
    expect(resultIn(session.api.requests[1], "toolu_main_0_0")).toContain("node_modules");
  });

  it("[R151] looks at a document as it is written: an instruction in it is out of place", async () => {
    const session = await open({
      main: (request, step) => {
        const [, cwd = ""] = /working directory: (\S+)/i.exec(JSON.stringify(request.body.raw)) ?? [];
        if (step > 0) return answer("Written.");
        const file_path = join(cwd.replace(/\\n.*$/, ""), "docs/keel.md");
        return answer(call("Write", { file_path, content: "# Keel\n\n- Always caulk the keel first.\n" }));
      },
    });
    await session.run({ prompts: ["Write it up."], args: ["--permission-mode", "acceptEdits"] });
    expect(await readFile(join(session.workspace.cwd, "docs/keel.md"), "utf8")).toContain("# Keel");
    expect(sent(session.api.requests.at(-1))).toMatch(
      /[Ss]tanding instructions to the agent belong in rules\/ or CLAUDE/,
    );
  });
});
