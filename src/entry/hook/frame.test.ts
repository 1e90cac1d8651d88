/** If red: a hook that fails stops the client, or leaves files that others can read. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { putAgreed } from "../../../test/support/agree.ts";
import { tries } from "../../../test/support/depth.ts";
import { createHookProgram } from "../../../test/support/hook-program.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createArtifactStore } from "../../files/artifacts/artifacts.ts";
import { nameFallback } from "../../files/write-journal.ts";
import { parseAction } from "../../policy/actions/own-action.ts";
import { renderAnswer } from "./frame.ts";

const { plugin, run, start } = createHookProgram();
const temporary = createTemporaryFolder();
let count = 0;

const SESSION = "11111111-2222-3333-4444-555555555555";

/** A home, a project and a transcript of their own, as plain paths and an environment. */
function open() {
  const root = path.join(temporary.folder, String(++count));
  const [home, project, scratch] = ["home", "project", "tmp"].map((name) => path.join(root, name));
  if (home === undefined || project === undefined || scratch === undefined) throw new Error("no room");
  const projects = path.join(home, ".claude/projects/p");
  for (const folder of [projects, project, scratch]) mkdirSync(folder, { recursive: true });
  const transcript = path.join(projects, `${SESSION}.jsonl`);
  writeFileSync(transcript, "");
  const env = { HOME: home, CLAUDE_PROJECT_DIR: project, TMPDIR: scratch };
  const folder = path.join(home, ".claude/data/plimsoll/sessions", SESSION);
  const common = { session_id: SESSION, transcript_path: transcript, cwd: project };
  return { home, project, scratch, transcript, env, folder, common };
}

const shell = (stdout: string, id = "t1") => ({
  tool_name: "Bash",
  tool_use_id: id,
  tool_input: { command: "make" },
  tool_response: { stdout, stderr: "", interrupted: false, isImage: false },
});
const LARGE = Array.from({ length: 400 }, (_, index) => `line ${index} of a long output`).join("\n");

function readActions(folder: string, name = "deeds-hook.jsonl") {
  const text = readFileSync(path.join(folder, name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => parseAction(line));
}

const kindsIn = (folder: string) => readActions(folder).map((action) => action?.kind);

describe("a run of the hook", () => {
  it("prints the answer, and notes what it did and how long it took", async () => {
    const { env, common, folder } = open();
    const { exitCode, output, remarks } = await run("PostToolUse", { ...common, ...shell(LARGE) }, env);
    expect({ exitCode, remarks }).toEqual({ exitCode: 0, remarks: "" });
    expect(JSON.parse(output)).toMatchObject({
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { stderr: "" } },
    });
    expect(readActions(folder)).toMatchObject([
      { kind: "folded", door: "hook", event: "PostToolUse" },
      { kind: "ran", event: "PostToolUse" },
    ]);
  });

  it("prints nothing where there is nothing to say", async () => {
    const { env, common } = open();
    expect(await run("PostToolUse", { ...common, ...shell("ok") }, env)).toEqual({
      exitCode: 0,
      output: "",
      remarks: "",
    });
  });

  it("[R64] keeps everything private: files 0600, folders 0700", async () => {
    const { env, common, folder } = open();
    await run("PostToolUse", { ...common, ...shell(LARGE) }, env);
    await run("Stop", common, env);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder))
      expect([name, statSync(path.join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it("goes by the client's configuration folder where that was moved", async () => {
    const { env, common, home } = open();
    const moved = path.join(home, "moved");
    await run("Stop", common, { ...env, CLAUDE_CONFIG_DIR: moved });
    expect(existsSync(path.join(moved, "data/plimsoll/sessions", SESSION, "deeds-hook.jsonl"))).toBe(true);
  });

  it("does nothing at all when it is switched off", async () => {
    const { env, common, home, project } = open();
    await run("PostToolUse", { ...common, ...shell(LARGE) }, { ...env, PLIMSOLL_OFF: "1" });
    writeFileSync(path.join(home, ".claude/plimsoll.json"), '{"on":false}');
    expect((await run("PostToolUse", { ...common, ...shell(LARGE) }, env)).output).toBe("");
    expect(existsSync(path.join(home, ".claude/data"))).toBe(false);
    expect(readdirSync(project)).toEqual([]);
  });

  it("lets the project's settings win over the person's", async () => {
    const { env, common, home, project } = open();
    writeFileSync(path.join(home, ".claude/plimsoll.json"), '{"fold":false}');
    mkdirSync(path.join(project, ".plimsoll"));
    expect((await run("PostToolUse", { ...common, ...shell(LARGE) }, env)).output).toBe("");
    writeFileSync(path.join(project, ".plimsoll/settings.json"), '{"fold":true}');
    // Whoever wrote it: not before the person has agreed.
    expect((await run("PostToolUse", { ...common, ...shell(LARGE) }, env)).output).toBe("");
    putAgreed(project, ".plimsoll/settings.json", '{"fold":true}', path.join(home, ".claude"));
    expect((await run("PostToolUse", { ...common, ...shell(LARGE) }, env)).output).toContain("FOLDED");
  });
});

describe("whatever goes wrong", () => {
  it.each([
    ["no JSON", "PostToolUse", "{"],
    ["no object", "PostToolUse", "[]"],
    ["nothing at all", "Stop", ""],
    ["an event that nobody knows", "Nonsense", { session_id: SESSION }],
    ["a name that every object has", "constructor", { session_id: SESSION }],
  ])("[R183] exits 0 with one line on stderr for %s", async (_, event, input) => {
    const { env } = open();
    const { exitCode, output, remarks } = await run(event, input, env);
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: "" });
    expect(remarks).toMatch(/^plimsoll: [^\n]+\n$/);
  });

  it.each([
    "PostToolUse",
    "PreToolUse",
    "Stop",
    "SessionStart",
    "UserPromptSubmit",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
    "SubagentStop",
  ])("[R183] %s exits 0 on an event of wrong types", async (event) => {
    const { env, common } = open();
    const wrong = { ...common, tool_name: 7, tool_input: [], tool_response: { stdout: {} }, source: [], prompt: null };
    expect((await run(event, wrong, env)).exitCode).toBe(0);
    expect((await run(event, { session_id: null, transcript_path: 3, cwd: {} }, env)).exitCode).toBe(0);
  });

  it("[R183] leaves a note in the temporary folder where the data folder cannot be written", async () => {
    const { env, common, home, scratch } = open();
    writeFileSync(path.join(home, ".claude/data"), "a file in the way");
    const { exitCode, output } = await run("PostToolUse", { ...common, ...shell(LARGE) }, env);
    expect(exitCode).toBe(0);
    // An original that no record names as the person's could not be read back: the output stays.
    expect(output).toBe("");
    const folder = path.join(scratch, `plimsoll-${process.getuid?.() ?? 0}`);
    expect(readActions(folder, nameFallback(home))).toMatchObject([
      { kind: "declined", what: "folding Bash" },
      { kind: "declined", what: "the journal" },
      { kind: "ran" },
    ]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("[R183] follows no link in the temporary folder", async () => {
    const { env, common, home, project, scratch } = open();
    writeFileSync(path.join(home, ".claude/data"), "a file in the way");
    symlinkSync(project, path.join(scratch, `plimsoll-${process.getuid?.() ?? 0}`));
    expect((await run("Stop", common, env)).exitCode).toBe(0);
    expect(readdirSync(project)).toEqual([]);
  });

  it.each(["../../../evil", "", "a/b", ".", "x".repeat(200)])(
    "[R183] makes no folder of the session id %j",
    async (id) => {
      const { env, common, home } = open();
      expect((await run("PostToolUse", { ...common, ...shell("ok"), session_id: id }, env)).exitCode).toBe(0);
      expect(existsSync(path.join(home, ".claude/data"))).toBe(false);
      expect(readdirSync(home)).toEqual([".claude"]);
    },
  );

  it.each(["/etc/passwd", "/dev/zero", "/proc/self/environ"])(
    "[R183] does not read %s as a transcript",
    async (file) => {
      const { env, common, folder } = open();
      for (const event of ["PostToolUse", "Stop", "PreCompact"])
        expect((await run(event, { ...common, ...shell("ok"), transcript_path: file }, env)).exitCode).toBe(0);
      expect(existsSync(path.join(folder, "load.json"))).toBe(false);
      expect(existsSync(path.join(folder, "state.json"))).toBe(false);
    },
  );
});

describe("next to the hooks module", () => {
  it("does nothing while the module serves the session, and says so once", async () => {
    const { env, common, folder, project } = open();
    for (const event of ["SessionStart", "PostToolUse", "PreCompact", "Stop"])
      expect((await run(event, { ...common, ...shell(LARGE) }, { ...env, PLIMSOLL_MODULE: "1" })).output).toBe("");
    expect(kindsIn(folder).filter((kind) => kind === "declined")).toHaveLength(1);
    expect(kindsIn(folder)).not.toContain("folded");
    expect(readdirSync(project)).toEqual([]);
  });
});

describe("many at once", () => {
  const CALLS = tries(16, 60);
  const KILLS = tries(6, 24);

  it(`[R12] counts ${CALLS} calls of ${CALLS}`, async () => {
    const { env, common, folder } = open();
    const runs = Array.from({ length: CALLS }, (_, index) =>
      run("PostToolUse", { ...common, ...shell("ok", `t${index}`) }, env),
    );
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual(Array(CALLS).fill(0));
    expect(readFileSync(path.join(folder, "calls.log"), "utf8")).toBe("m\n".repeat(CALLS));
    expect(kindsIn(folder).filter((kind) => kind === "ran")).toHaveLength(CALLS);
  });

  it("leaves no torn file when it is killed", async () => {
    const { env, common, folder, project } = open();
    for (let index = 0; index < KILLS; index++) {
      const child = start("PostToolUse", { ...common, ...shell(`${LARGE}${index}`, `t${index}`) }, env);
      await pause(20 + (index * 120) / KILLS);
      child.kill("SIGKILL");
      await new Promise((resolve) =>
        child.exitCode === null && child.signalCode === null ? child.once("close", resolve) : resolve(0),
      );
    }
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (name.endsWith(".json")) JSON.parse(readFileSync(path.join(folder, name), "utf8"));
    if (existsSync(path.join(folder, "deeds-hook.jsonl"))) expect(readActions(folder)).not.toContain(undefined);
    expect(createArtifactStore(project, Date.now).verify().faults).toEqual([]);
    expect((await run("PostToolUse", { ...common, ...shell(LARGE) }, env)).output).toContain("FOLDED");
  });
});

describe("the plugin", () => {
  it("answers every event that it stands on", async () => {
    const { hooks } = JSON.parse(readFileSync(path.join(plugin, "hooks/hooks.json"), "utf8"));
    for (const [event, [group]] of Object.entries<[{ hooks: [{ args: [string, string] }] }]>(hooks)) {
      expect(group.hooks[0].args).toEqual([`\${CLAUDE_PLUGIN_ROOT}/dist/hook.cjs`, event]);
      const { env, common } = open();
      expect(await run(event, common, env)).toMatchObject({ exitCode: 0, remarks: "" });
    }
  });

  it("[R145] loads less than 100 KB for what happens at every tool call", () => {
    const sizes = ["hook.cjs", "fold.cjs"].map((name) => statSync(path.join(plugin, "dist", name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100 * 1024);
  });

  it("needs nothing but Node", () => {
    for (const name of readdirSync(path.join(plugin, "dist"))) {
      const text = readFileSync(path.join(plugin, "dist", name), "utf8");
      const needed = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, target = ""]) => target);
      expect(needed.filter((target) => !/^(?:node:|\.\/[\w-]+\.cjs$)/.test(target))).toEqual([]);
    }
  });
});

describe("renderAnswer", () => {
  it("is empty where there is nothing to say", () => {
    for (const answer of [{}, { output: {} }, { text: "" }, { actions: [] }])
      expect(renderAnswer("Stop", answer)).toBe("");
  });

  it("names the event next to its output", () => {
    expect(JSON.parse(renderAnswer("PostToolUse", { output: { additionalContext: "x" }, systemMessage: "y" }))).toEqual(
      {
        systemMessage: "y",
        hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "x" },
      },
    );
  });

  it("[R167] gives PreCompact plain text, and drops an output that the client would refuse with everything else", () => {
    expect(renderAnswer("PreCompact", { text: "keep this" })).toBe("keep this");
    for (const event of ["PreCompact", "PostCompact", "SessionEnd"])
      expect(renderAnswer(event, { output: { additionalContext: "x" } })).toBe("");
  });

  it("never gives more than 10,000 characters of context, and leaves a result in its own shape whole", () => {
    expect(renderAnswer("PreCompact", { text: "x".repeat(20_000) })).toHaveLength(10_000);
    const updatedToolOutput = { stdout: "y".repeat(20_000) };
    const { hookSpecificOutput } = JSON.parse(
      renderAnswer("PostToolUse", { output: { additionalContext: "x".repeat(20_000), updatedToolOutput } }),
    );
    expect(hookSpecificOutput.additionalContext).toHaveLength(10_000);
    expect(hookSpecificOutput.updatedToolOutput).toEqual(updatedToolOutput);
  });
});
