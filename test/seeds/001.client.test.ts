/** If red: the window is not measured and reported on as the second seed asks. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, call, summary } from "../api/replies.ts";
import type { Answer, Reply } from "../api/scenario.ts";
import { ENTRY_POINTS, openEntryPoint } from "../client/entry-points.ts";
import { type Play, sent } from "../client/play.ts";
import type { ClientResult } from "../client/run-client.ts";
import { runProgram } from "./program.ts";

/** The engine of the second document: assess, classify, advise, save, block, report; by its own table of percentages. */

function at(tokens: number, reply: Answer): Answer {
  return { ...reply, usage: { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } };
}

/** So many calls at so many tokens of 200,000. */
const calls = (count: number, tokens: number): readonly Reply[] =>
  Array.from({ length: count }, (_, index) => at(tokens, answer(call("Bash", { command: `echo ${index}` }))));

const SETTINGS = { profile: "percent", early: "off", blockAtRed: true };
/** The client's own compaction is held back up to the moment at which the person asks for it. */
const HELD = { env: { DISABLE_AUTO_COMPACT: "1" } };

/** GREEN, YELLOW, ORANGE and RED, then a compaction and what comes after it. */
function sail(cwd: string): readonly Reply[] {
  return [
    at(
      90_000,
      answer(
        call("TaskCreate", { subject: "Seal the hull", description: "All.", activeForm: "Sealing" }),
        call("TaskCreate", { subject: "Paint the load line", description: "Red.", activeForm: "Painting" }),
      ),
    ),
    at(90_000, answer(call("TaskUpdate", { taskId: "1", status: "in_progress" }))),
    at(
      90_000,
      answer(
        "I decided to use tar because oil is thin.",
        call("Write", { file_path: join(cwd, "hull.txt"), content: "tar" }),
      ),
    ),
    ...calls(6, 110_000),
    ...calls(6, 150_000),
    ...calls(2, 174_000),
    at(174_000, answer("The window is full.")),
    at(174_000, answer("It is at 87 %.")),
    ...calls(1, 30_000),
    at(30_000, answer("Sealed.")),
    answer("Tar."),
  ];
}

describe.each(ENTRY_POINTS)("the context engine, through the $name", (entryPoint) => {
  let session: Play;
  let run: ClientResult;
  /** All that the model was told, request by request. */
  const said = () => session.api.requests.filter(({ lane }) => lane === "main").map(sent);
  const saved = (name: string) => readFile(join(session.workspace.cwd, ".plimsoll", name), "utf8");

  beforeAll(async () => {
    const replies: Reply[] = [];
    session = await openEntryPoint(
      entryPoint,
      {
        main: (_, step) => replies[step] ?? answer("Nothing is left."),
        compaction: [summary("1. Primary Request and Intent:\n   The hull is being sealed.")],
      },
      SETTINGS,
    );
    replies.push(...sail(session.workspace.cwd));
    await session.workspace.writeFile(".plimsoll/rules/crew.md", "Always use tabs.\n");
    await session.workspace.writeFile(".plimsoll/rules/yard.md", "Never use tabs.\n");
    run = await session.run({
      ...HELD,
      prompts: ["Seal the hull. Never touch the anchor chain.", "How full is the context window?"],
      timeoutMs: 120_000,
    });
  });
  afterAll(() => session.close());

  it("[R19] [R20] measures by usage, against the model's own window, and says nothing while GREEN", async () => {
    expect(said().slice(0, 4).join("\n")).not.toMatch(/Context (?:at|CRITICAL)/);
    const health = JSON.parse(await runProgram(session, "health", "--profile", "percent", "--json"));
    expect(health).toMatchObject({ windowTokens: 200_000, level: "RED", source: "usage", confidence: "exact" });
  });

  it("[R7] [R20] advises as each threshold is crossed: YELLOW at 55 %, ORANGE at 75 %", () => {
    const yellow = "Context at 55%. Load only essential files. Avoid reading full files when Grep will do.";
    const orange = "Context at 75%. Recommend /compact at next phase boundary (after current module completes).";
    const first = (words: string) => said().findIndex((text) => text.includes(words));
    expect(first(yellow)).toBeGreaterThan(0);
    expect(first(orange)).toBeGreaterThan(first(yellow));
    expect(said()[first(orange)]).not.toContain("Context CRITICAL");
  });

  it("[R20] at RED saves task, files, decisions and what remains, then says so, then blocks", async () => {
    const critical = "Context CRITICAL (87%). State saved to .plimsoll/. Run /compact now.";
    expect(said().join("\n")).toContain(critical);
    expect(said().join("\n")).toContain("context usage is critical (measured): run /compact (refusal 1 of 3");
    expect(await readdir(join(session.workspace.cwd, ".plimsoll"))).toContain("progress.md");
    expect(await saved("decisions.md")).toContain("I decided to use tar because oil is thin.");
    expect(await saved("progress.md")).toContain("- [ ] Seal the hull");
    const checkpoint = await saved("checkpoint.md");
    for (const item of ["Paint the load line", "hull.txt"]) expect(checkpoint).toContain(item);
    expect((await session.actions()).filter(({ kind }) => kind === "failed")).toEqual([]);
  });

  it("[R7] [R10] [R36] reports the window's health to whoever asks, also at a boundary of the work", async () => {
    for (const line of [
      "## Context Health",
      "- **Utilization**: 87%",
      "- **Status**: RED",
      "- **Tool Calls**: ",
      "- **Recommendation**: compact-immediately",
      "### Critical Context (preserved on compaction)",
      "- Task: Seal the hull",
    ])
      expect(said().at(-1)).toContain(line);
    expect(said().at(-1)).toMatch(/- Decisions: [1-9]\d* saved to \.plimsoll\//);
    expect(said().at(-1)).toMatch(/- Files touched: .*hull\.txt/);
    expect(await runProgram(session, "health", "--caller", "cook")).toContain("## Context Health");
  });

  it("[R7] [R110] before a compaction keeps what matters word for word, and lets calls pass again after it", async () => {
    const count = async () => (await session.actions()).filter(({ kind }) => kind === "blocked").length;
    const refused = await count();
    await session.run({ prompts: ["/compact", "Go on."], resume: run.sessionId });
    const after = said().at(-1);
    expect(after).toContain("Never touch the anchor chain.");
    expect(after).toContain("I decided to use tar because oil is thin.");
    expect(after).toContain("Paint the load line");
    expect(refused).toBeGreaterThan(0);
    expect(await count()).toBe(refused);
  });

  it("[R111] flags rules that cannot both be followed, and tells both", () => {
    const first = said()[0];
    expect(first).toContain(
      'CONFLICT on "use tabs": instruction files disagree, none was picked; ask which one holds.',
    );
    for (const rule of ["crew.md (project): Always use tabs.", "yard.md (project): Never use tabs."])
      expect(first).toContain(rule);
  });

  it("[R112] tells the next session of it, dated and as history", async () => {
    await session.run({ prompts: ["What did we use?"] });
    const fresh = said().at(-1);
    expect(fresh).toContain("Project state of earlier sessions");
    expect(fresh).toMatch(/\[\d{4}-\d\d-\d\d \d\d:\d\d[^\n]*\n?[^\n]*I decided to use tar because oil is thin\./);
  });
});
