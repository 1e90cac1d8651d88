/** If red: with command hooks a large result stays whole, or is folded without a way back. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contextOf, createHookStage, type HookStage } from "../../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, boundary, prompt, summary, toolResult, toolUse } from "../../../../test/support/transcript-lines.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { HookAnswer } from "../hook.ts";
import { readCalls } from "../load/read-load.ts";
import { postCompact } from "./post-compact.ts";
import { postToolUse, postToolUseFailure } from "./post-tool-use.ts";

const temporary = createTemporaryFolder();
let count = 0;
const open = (): HookStage => createHookStage(path.join(temporary.folder, String(++count)));

let calls = 0;
function shell(stdout: string, more: JsonObject = {}): JsonObject {
  const { command = "npm run build", ...rest } = more;
  const tool_response = { stdout, stderr: "", interrupted: false, isImage: false, ...rest };
  return { tool_name: "Bash", tool_use_id: `t${++calls}`, tool_input: { command }, tool_response };
}
function read(content: string, more: JsonObject = {}): JsonObject {
  const numLines = content.split("\n").length;
  const file = { filePath: "/w/a.ts", content, numLines, startLine: 1, totalLines: numLines };
  const tool_response = { type: "text", file };
  return {
    tool_name: "Read",
    tool_use_id: `t${++calls}`,
    tool_input: { file_path: "/w/a.ts" },
    tool_response,
    ...more,
  };
}
const run = (stage: HookStage, raw: JsonObject): Promise<HookAnswer> => stage.fire(postToolUse, "PostToolUse", raw);
const foldedOf = ({ output }: HookAnswer): Json | undefined => output?.updatedToolOutput;
const textOf = (answered: HookAnswer): string => JSON.stringify(foldedOf(answered) ?? "");
const kindsOf = ({ actions = [] }: HookAnswer): readonly string[] => actions.map(({ kind }) => kind);

const lines = (number: number, characters = 30): string =>
  Array.from({ length: number }, (_, index) => `line ${index} `.padEnd(characters, "x")).join("\n");

/** Lines that are not alike. */
const inWords = (index: number): string =>
  [...String((index + 1) * 7_919_317)]
    .map((digit) => "hull seam deck mast sail keel oar bow aft rib".split(" ")[Number(digit)])
    .join(" ");

function listArtifacts(stage: HookStage): readonly string[] {
  const folder = path.join(stage.project, ".plimsoll/artifacts");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".md")) : [];
}

describe("folding", () => {
  it("[R57] combines from the fifth output of a command class on, where a person has set it, and not otherwise", async () => {
    for (const combinesOutputs of [true, false]) {
      const stage = open();
      stage.set({ combinesOutputs });
      const outputs = [1, 2, 3, 4, 5].map((number) => `search ${number}\n${lines(90)}`);
      const answers: HookAnswer[] = [];
      for (const output of outputs) answers.push(await run(stage, shell(output, { command: `grep -rn ${calls} src` })));
      expect(answers.slice(0, 4).map(foldedOf)).toEqual(Array(4).fill(undefined));
      expect(listArtifacts(stage)).toHaveLength(combinesOutputs ? 1 : 0);
      if (!combinesOutputs) {
        expect(foldedOf(answers[4] ?? {})).toBeUndefined();
        continue;
      }
      const [, file = "", first, last] =
        /(artifact-\S+\.md) lines (\d+)-(\d+) \(plimsoll:[0-9a-f]{12}\)/.exec(textOf(answers[4] ?? {})) ?? [];
      const kept = readFileSync(path.join(stage.project, ".plimsoll/artifacts", file), "utf8");
      for (const output of outputs) expect(kept).toContain(output);
      expect(
        kept
          .split("\n")
          .slice(Number(first) - 1, Number(last))
          .join("\n"),
      ).toBe(outputs[4]);
      expect(kindsOf(answers[4] ?? {})).toEqual(["folded"]);
    }
  });

  it("combines no output that the client cut: what it shows is not what it was", async () => {
    const stage = open();
    stage.set({ combinesOutputs: true });
    const file = path.join(path.dirname(stage.transcript), "whole.txt");
    writeFileSync(file, `whole\n${lines(90)}`);
    const cut = () => shell(`cut\n${lines(90)}`, { command: "grep -rn x src", persistedOutputPath: file });
    const answers: HookAnswer[] = [];
    for (let call = 0; call < 6; call++) answers.push(await run(stage, cut()));
    expect(answers.map(foldedOf)).toEqual(Array(6).fill(undefined));
    expect(listArtifacts(stage)).toEqual([]);
  });

  it("[R55] [R59] [R60] stores a large output whole, then answers in the tool's own shape", async () => {
    const stage = open();
    const output = `${lines(300, 80)}\nwarning: the hull is thin\n${lines(10)}`;
    const answered = await run(stage, shell(output));
    expect(foldedOf(answered)).toMatchObject({ stderr: "", interrupted: false, isImage: false });
    expect(textOf(answered)).toContain("[FOLDED: Bash output — 311 lines");
    expect(textOf(answered)).toContain("warning: the hull is thin");
    const [file = ""] = listArtifacts(stage);
    const kept = readFileSync(path.join(stage.project, ".plimsoll/artifacts", file), "utf8");
    expect(kept.split("\n").slice(4).join("\n")).toBe(output);
    expect(textOf(answered)).toContain(`.plimsoll/artifacts/${file}`);
    expect(answered.actions).toMatchObject([{ kind: "folded", tool: "Bash", characters: output.length }]);
  });

  it("[R55] [R56] folds from 4,001 characters or 121 lines on, and nothing below", async () => {
    const stage = open();
    expect(foldedOf(await run(stage, shell("x".repeat(4000))))).toBeUndefined();
    expect(foldedOf(await run(stage, shell("x".repeat(4001))))).toBeDefined();
    expect(foldedOf(await run(stage, shell(lines(120))))).toBeUndefined();
    expect(foldedOf(await run(stage, shell(lines(121))))).toBeDefined();
    expect(foldedOf(await run(stage, shell("x\n".repeat(200))))).toBeUndefined();
  });

  it.each([
    ["thrifty", 4_000, 1_200],
    ["balanced", 4_000, 1_200],
    ["cautious", 16_000, 6_000],
  ] as const)(
    "[R55] folds by the policy %s from more than %d characters on, to %d at most",
    async (policy, limit, most) => {
      const stage = open();
      stage.set({ policy });
      expect(foldedOf(await run(stage, shell("x".repeat(limit))))).toBeUndefined();
      const answered = await run(stage, shell(Array.from({ length: 900 }, (_, index) => inWords(index)).join("\n")));
      const [folded] = (answered.actions ?? []).flatMap((action) =>
        action.kind === "folded" ? [action.shownCharacters] : [],
      );
      expect(folded).toBeGreaterThan(most / 2);
      expect(folded).toBeLessThanOrEqual(most);
    },
  );

  it("leaves a fresh reading whole up to 20,000 characters, because it is edited next", async () => {
    const stage = open();
    expect(foldedOf(await run(stage, read("x\n".repeat(10_000))))).toBeUndefined();
    expect(foldedOf(await run(stage, read("x\n".repeat(10_001))))).toMatchObject({
      type: "text",
      file: { filePath: "/w/a.ts", numLines: 10_002, startLine: 1, totalLines: 10_002 },
    });
  });

  it("gives an original back whole to whoever asks for it", async () => {
    const stage = open();
    await run(stage, shell(lines(300)));
    const [file = ""] = listArtifacts(stage);
    const original = path.join(stage.project, ".plimsoll/artifacts", file);
    const again = read(lines(3000), { tool_input: { file_path: original } });
    expect(foldedOf(await run(stage, again))).toBeUndefined();
    expect(foldedOf(await run(stage, shell(lines(300), { command: `cat ${original}` })))).toBeUndefined();
  });

  it("takes an output that the client cut from its file, and gives that up to our preview", async () => {
    const stage = open();
    const whole = lines(900, 60);
    const file = path.join(path.dirname(stage.transcript), "session-1", "tool-results", "t.txt");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, whole);
    const cut = shell(whole.slice(0, 30_000), { persistedOutputPath: file, persistedOutputSize: whole.length });
    const answered = await run(stage, cut);
    expect(foldedOf(answered)).not.toHaveProperty("persistedOutputPath");
    expect(textOf(answered)).toContain(`900 lines, ${whole.length} chars`);
    expect(answered.actions).toMatchObject([{ kind: "folded", characters: whole.length }]);
  });

  it("loses no word of stderr next to an output that the client cut: its file need not hold them", async () => {
    const stage = open();
    const whole = lines(900, 60);
    const stderr = "frame 12 is thin; ".repeat(300);
    const file = path.join(path.dirname(stage.transcript), "session-1", "tool-results", "t.txt");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, whole);
    const answered = await run(stage, shell(whole.slice(0, 30_000), { stderr, persistedOutputPath: file }));
    expect(textOf(answered)).toContain(`900 lines, ${whole.length} chars`);
    expect(foldedOf(answered)).toMatchObject({ stderr });
  });

  it("reads no file that an event names outside the client's own folder", async () => {
    const stage = open();
    const secret = path.join(stage.project, "secret.txt");
    writeFileSync(secret, "secret ".repeat(2000));
    const link = path.join(path.dirname(stage.transcript), "link.txt");
    symlinkSync(secret, link);
    for (const persistedOutputPath of [secret, link, "/etc/passwd"]) {
      const answered = await run(stage, shell(lines(200), { persistedOutputPath, persistedOutputSize: 9 }));
      expect(foldedOf(answered)).toBeUndefined();
      expect(answered.actions).toMatchObject([{ kind: "declined", what: "folding Bash" }]);
    }
    expect(listArtifacts(stage)).toEqual([]);
  });

  it("folds nothing where the original cannot be kept, and says so", async () => {
    const stage = open();
    writeFileSync(path.join(stage.project, ".plimsoll"), "a file in the way");
    const answered = await run(stage, shell(lines(300)));
    expect(foldedOf(answered)).toBeUndefined();
    expect(kindsOf(answered)).toEqual(["declined"]);
  });

  it("is switched off by the setting", async () => {
    const stage = open();
    stage.set({ isFolding: false });
    expect(foldedOf(await run(stage, shell(lines(300))))).toBeUndefined();
  });

  it("quotes a whole path where the call was made in another folder", async () => {
    const stage = open();
    let text = "";
    await stage.fire(
      async (context) => {
        text = textOf(await postToolUse({ ...context, directory: path.join(stage.project, "sub") }));
        return {};
      },
      "PostToolUse",
      shell(lines(300)),
    );
    expect(text).toContain(`Full output: ${stage.project}/.plimsoll/artifacts/`);
  });
});

describe("the look at whether the client kept a fold", () => {
  async function foldAndShow(stage: HookStage, shown: (folded: string) => string): Promise<HookAnswer> {
    const raw = shell(lines(300));
    const id = String(raw.tool_use_id);
    const folded = foldedOf(await run(stage, raw));
    const text = typeof folded === "object" ? JSON.stringify(folded) : "";
    stage.write(answer(`m-${id}`, [toolUse(id, "Bash")]), toolResult(id, shown(text)));
    return run(stage, shell("small"));
  }

  it("finds its own text there, and is content", async () => {
    expect(kindsOf(await foldAndShow(open(), (folded) => folded))).toEqual([]);
  });

  it("waits for a result that is not written yet", async () => {
    const stage = open();
    await run(stage, shell(lines(300)));
    expect(kindsOf(await run(stage, shell("small")))).toEqual([]);
  });

  it("notes a fold that was ignored, and gives a tool up after three", async () => {
    const stage = open();
    expect(kindsOf(await foldAndShow(stage, () => "the original"))).toEqual(["ignored"]);
    expect(kindsOf(await foldAndShow(stage, () => "the original"))).toEqual(["ignored"]);
    const third = await foldAndShow(stage, () => "the original");
    expect(third.actions).toMatchObject([{ kind: "ignored" }, { kind: "declined", what: "folding Bash" }]);
    expect(foldedOf(await run(stage, shell(lines(300))))).toBeUndefined();
    expect(foldedOf(await run(stage, read("x\n".repeat(10_001))))).toBeDefined();
  });
});

/** A window of 200k compacts at 167k: YELLOW from 100.2k, ORANGE from 130.3k, RED from 150.3k. */
async function load(stage: HookStage, tokens: number): Promise<string> {
  stage.write(answer(`m${++calls}`, ["Working."], { cache_read_input_tokens: tokens - 3 }));
  return contextOf(await run(stage, shell("ok")));
}

describe("what the load asks to be said", () => {
  it("[R25] says nothing at GREEN", async () => {
    const stage = open();
    for (let call = 0; call < 10; call++) expect(await load(stage, 100_000)).toBe("");
    expect(existsSync(path.join(stage.folder, "advice.json"))).toBe(false);
  });

  it("[R26] [R13] says the YELLOW line with how its number is known", async () => {
    const said = await load(open(), 110_000);
    expect(said.split("\n")[0]).toBe(
      "Context at 55%. Load only essential files. Avoid reading full files when Grep will do.",
    );
    expect(said).toContain(
      "Note: share of the window (usage of the last request); 66% of the 167000 tokens at which the agent compacts",
    );
  });

  it("[R27] [R29] says the ORANGE line, and asks for terse answers once where the person lets it", async () => {
    const stage = open();
    stage.set({ density: "auto" });
    const said = await load(stage, 140_000);
    expect(said).toContain(
      "Context at 70%. Recommend /compact at next phase boundary (after current module completes).",
    );
    expect(said).toContain("aveman");
    for (let call = 0; call < 30; call++) expect(await load(stage, 140_100)).not.toContain("aveman");
  });

  it("[R22] says a level once, and not again in the same words", async () => {
    const stage = open();
    const said: number[] = [];
    for (let call = 1; call <= 30; call++) if ((await load(stage, 110_000)) !== "") said.push(call);
    expect(said).toEqual([1]);
  });

  it("[R8] [R30] [R31] [R32] [R119] [R120] saves the state before it says that it is critical, behind what is there", async () => {
    const stage = open();
    const older = "# Decisions Log\n\n## [2020-01-02 10:20] Decision: Charge by tonnage\n**Decision:** by tonnage\n";
    stage.put(".plimsoll/decisions.md", older);
    stage.write(
      prompt("Refund the harbour fees."),
      answer("w1", [
        "I'll keep whole cents because rounding twice loses money.",
        toolUse("w", "Write", { file_path: "/w/fee.ts", content: "x" }),
      ]),
      toolResult("w", "File created successfully"),
    );
    const said = await load(stage, 155_000);
    expect(said).toContain("Context CRITICAL (78%). State saved to .plimsoll/. Run /compact now.");
    const checkpoint = readFileSync(path.join(stage.project, ".plimsoll/checkpoint.md"), "utf8");
    expect(checkpoint).toContain("Refund the harbour fees.");
    expect(checkpoint).toContain("/w/fee.ts");
    expect(checkpoint).toContain("Phase:");
    const decisions = readFileSync(path.join(stage.project, ".plimsoll/decisions.md"), "utf8");
    expect(decisions).toContain(older.trimEnd());
    expect(decisions).toMatch(
      /\n## \[\d{4}-\d\d-\d\d \d\d:\d\d\] Decision: .*whole cents.*\n\n\*\*Context:\*\* .*\n\*\*Decision:\*\* .*\n\*\*Rationale:\*\* .*\n\*\*Impact:\*\* /,
    );
    const progress = readFileSync(path.join(stage.project, ".plimsoll/progress.md"), "utf8");
    for (const part of ["Completed", "In Progress", "Blocked", "Next Session Should"]) expect(progress).toContain(part);
    expect(statSync(path.join(stage.project, ".plimsoll/checkpoint.md")).mode & 0o777).toBe(0o600);
  });

  it("[R32] claims no save that did not happen", async () => {
    const stage = open();
    writeFileSync(path.join(stage.project, ".plimsoll"), "a file in the way");
    const said = await load(stage, 155_000);
    expect(said).toContain("State NOT saved");
    expect(said).not.toContain("State saved");
  });

  it("says nothing after a compaction until a new request shows the load", async () => {
    const stage = open();
    await load(stage, 140_000);
    stage.write(boundary("l1"), summary("so far"));
    for (let call = 0; call < 6; call++) expect(contextOf(await run(stage, shell("ok")))).not.toContain("Context at");
    expect(await load(stage, 30_000)).not.toContain("Context at");
  });

  it("[R194] puts on the person's screen what only a person can do, and tells the model that it cannot", async () => {
    const stage = open();
    stage.write(answer("m-red", ["Working."], { cache_read_input_tokens: 155_000 }));
    const answered = await run(stage, shell("ok"));
    expect(contextOf(answered)).toContain("Only the user can run /compact");
    expect(answered.systemMessage).toBe(
      "plimsoll: Context CRITICAL (78%). State saved to .plimsoll/. Run /compact now.",
    );
  });

  it("[R14] [R26] counts calls where the person goes by calls", async () => {
    const stage = open();
    stage.set({ profile: "calls" });
    const said: string[] = [];
    for (let call = 1; call <= 80; call++) {
      const text = contextOf(await run(stage, shell("ok")));
      said.push(...text.split("\n").flatMap((line) => (/^\d+ tool calls\./.test(line) ? [`${call}: ${line}`] : [])));
    }
    expect(said).toEqual([
      "50: 50 tool calls. Load only essential files. Avoid reading full files when Grep will do.",
      "80: 80 tool calls. Recommend /compact at next phase boundary (after current module completes).",
    ]);
  });

  it("[R17] [R115] lowers the table after three readings of more than 500 lines", async () => {
    const stage = open();
    stage.set({ profile: "calls" });
    for (let call = 0; call < 3; call++) await run(stage, read("x\n".repeat(501)));
    for (let call = 4; call < 40; call++) expect(contextOf(await run(stage, shell("ok")))).toBe("");
    expect(contextOf(await run(stage, shell("ok")))).toContain("40 tool calls.");
  });

  it("says nothing to subagents, nor where advisories are off", async () => {
    const stage = open();
    stage.write(answer("m1", ["Working."], { cache_read_input_tokens: 140_000 }));
    expect(contextOf(await run(stage, { ...shell("ok"), agent_id: "a1" }))).toBe("");
    stage.set({ hasAdvisories: false });
    expect(contextOf(await run(stage, shell("ok")))).toBe("");
  });

  it("[R10] stays short", async () => {
    expect((await load(open(), 155_000)).length).toBeLessThan(1600);
  });
});

describe("counting", () => {
  it("[R12] counts every call, failed ones and those of subagents apart", async () => {
    const stage = open();
    await run(stage, shell("ok"));
    await run(stage, read("x\n".repeat(501)));
    await run(stage, { ...shell("ok"), agent_id: "a1" });
    await stage.fire(postToolUseFailure, "PostToolUseFailure", { tool_name: "Bash", error: "x" });
    await stage.fire((context) => {
      expect(readCalls(context)).toEqual({ main: 3, before: 0, largeReads: 1 });
      return {};
    }, "Stop");
  });

  it("tells the calls before a compaction from those since", async () => {
    const stage = open();
    await run(stage, shell("ok"));
    await stage.fire(postCompact, "PostCompact", { trigger: "manual", compact_summary: "Sailing." });
    await run(stage, shell("ok"));
    await stage.fire((context) => {
      expect(readCalls(context)).toMatchObject({ main: 2, before: 1 });
      return {};
    }, "Stop");
  });

  it("answers a failure with nothing: errors are never folded", async () => {
    expect(await open().fire(postToolUseFailure, "PostToolUseFailure", { error: "x".repeat(9000) })).toEqual({});
  });
});

describe("a team that writes tersely", () => {
  it("[R199] is asked of the worker alone whose report is over its budget, and no longer once one is within it", async () => {
    const stage = open();
    const back = async (name: string, characters: number): Promise<readonly string[]> => {
      const { actions = [] } = await run(stage, {
        tool_name: "Task",
        tool_use_id: `b${name}${characters}`,
        tool_input: { description: name, prompt: `Plank the ${name}.`, subagent_type: "general-purpose" },
        tool_response: { content: [{ type: "text", text: "p".repeat(characters) }] },
      });
      return actions.flatMap((action) =>
        action.kind === "signal" ? [`${action.signal.mode} ${action.signal.scope}`] : [],
      );
    };
    expect(await back("hull", 40_000)).toEqual(["caveman workstream:Plank the hull."]);
    expect(await back("deck", 1000)).toEqual([]);
    expect(await back("hull", 1000)).toEqual(["normal workstream:Plank the hull."]);
  });

  it("[R91] is asked to by three workers who were, told once, and ends with the phase after its quality", async () => {
    const stage = open();
    const worker = (name: string) => ({
      tool_name: "Task",
      tool_use_id: `w${name}`,
      tool_input: { description: name, prompt: `Caveman mode. Plank the ${name}.`, subagent_type: "general-purpose" },
      tool_response: { content: [] },
    });
    const signalsOf = ({ actions = [] }: HookAnswer) =>
      actions.flatMap((action) => (action.kind === "signal" ? [`${action.signal.mode} ${action.signal.scope}`] : []));
    expect(signalsOf(await run(stage, worker("hull")))).toEqual(["caveman workstream:Caveman mode. Plank the hull."]);
    await run(stage, worker("deck"));
    const third = await run(stage, worker("bow"));
    expect(signalsOf(third)).toContain("caveman team");
    expect(contextOf(third)).not.toBe("");
    expect(signalsOf(await run(stage, shell("ok", { command: "ls" })))).toEqual([]);
    stage.write(answer("v1", [toolUse("v1", "Bash", { command: "npm test" })]), toolResult("v1", "4 passed"));
    expect(signalsOf(await run(stage, shell("4 passed", { command: "npm test" })))).toEqual(["normal team"]);
    expect(signalsOf(await run(stage, shell("4 passed", { command: "npm test" })))).toEqual([]);
  });
});
