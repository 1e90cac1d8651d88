/** If red: a project with a pipe or a broken file in its folder hangs a session or loses its state. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HOOKS } from "../../src/entry/hook/catalogue.ts";
import { nameProjectFolder } from "../../src/hosts/claude-code/disk/projects.ts";
import { STATE_FILES } from "../../src/survive/project-state/state-files.ts";
import { some } from "../support/depth.ts";
import { createHookProgram } from "../support/hook-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "../support/transcript-lines.ts";
import { PLANTS, plantEverywhere } from "./hostile-project.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../../dist/plimsoll.cjs");
const SESSION = "11111111-2222-3333-4444-555555555555";
const { start } = createHookProgram();
const temporary = createTemporaryFolder();

function openStage() {
  const root = mkdtempSync(path.join(temporary.folder, "stage-"));
  const [home, project, scratch] = [path.join(root, "home"), path.join(root, "project"), path.join(root, "tmp")];
  const projects = path.join(home, ".claude/projects", nameProjectFolder(project));
  for (const folder of [projects, project, scratch]) mkdirSync(folder, { recursive: true });
  const file = path.join(projects, `${SESSION}.jsonl`);
  writeFileSync(file, toFile(transcript(prompt("Caulk the seams."), answer("m1", ["Always use oakum. Done."]))));
  const env = { HOME: home, CLAUDE_PROJECT_DIR: project, TMPDIR: scratch };
  const folder = path.join(home, ".claude/data/plimsoll/sessions", SESSION);
  const common = { session_id: SESSION, transcript_path: file, cwd: project };
  return { home, project, env, folder, common, root };
}

const LARGE = Array.from({ length: 400 }, (_, index) => `line ${index} of a long output`).join("\n");
const CALL = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "cat CLAUDE.md" } };
const DETAILS: Readonly<Record<string, object>> = {
  SessionStart: { source: "startup" },
  UserPromptSubmit: { prompt: "Go on." },
  PreToolUse: CALL,
  PostToolUse: { ...CALL, tool_response: { stdout: LARGE, stderr: "", interrupted: false, isImage: false } },
  PostToolUseFailure: { ...CALL, error: "no" },
  PreCompact: { trigger: "manual" },
};

const started = new Set<ChildProcess>();
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

/** The status with which a program ends. What waits for a pipe waits for ever, until the test is given up. */
function outlast(child: ChildProcess): Promise<number | null> {
  started.add(child);
  return new Promise((resolve) => {
    child.stdout?.resume();
    child.stderr?.resume();
    child.once("close", (code) => {
      started.delete(child);
      resolve(code);
    });
  });
}

const fire = ({ common, env }: ReturnType<typeof openStage>, event: string): Promise<number | null> =>
  outlast(start(event, { ...common, hook_event_name: event, ...DETAILS[event] }, env));

/** Each command sees a third of what can be planted, and each of these a third of all commands. */
const thirdFor = <T>(name: string, list: readonly T[]): readonly T[] =>
  list.filter((_, at) => (at + Object.keys(PLANTS).indexOf(name)) % 3 === 0);

describe.concurrent.each(some(2, Object.entries(PLANTS)))(
  "a project with %s in the place of every file",
  (name, plant) => {
    it.each(Object.keys(HOOKS))("lets %s come to its end", async (event) => {
      const stage = openStage();
      plantEverywhere(stage.project, plant);
      expect(await fire(stage, event)).toBe(0);
    });

    const invocations = [
      ["state"],
      ["mode"],
      ["mode", "dev"],
      ["decide", "research", "planning"],
      ["artifacts"],
      ["artifacts", "verify"],
      ["artifacts", "show", "ababab"],
      ["retrieve", "caulk the seams"],
      ["audit"],
      ["lint"],
      ["preview", "CLAUDE.md"],
      ["doctor"],
      ["install", "--dry-run"],
      ["health"],
      ["now"],
      ["preserve"],
      ["summary"],
      ["explain"],
    ];
    it.each(thirdFor(name, invocations))("lets plimsoll %s %s come to its end", async (...words) => {
      const { env, project } = openStage();
      plantEverywhere(project, plant);
      const given = { PATH: process.env.PATH ?? "", ...env };
      const child = spawn(process.execPath, [PROGRAM, ...words], {
        cwd: project,
        env: given,
        stdio: ["ignore", "pipe", "pipe"],
      });
      expect(await outlast(child)).toEqual(expect.any(Number));
    });
  },
);

/** A lock that nobody holds, as a repository could bring it. */
const LOCKS: Readonly<Record<string, (lock: string) => void>> = {
  // First, since root may enter it all the same: the short run is for everybody.
  "a folder that may not be entered": (lock) => {
    mkdirSync(path.join(lock, "x"), { recursive: true });
    chmodSync(lock, 0);
  },
  "a folder with something in it": (lock) => {
    mkdirSync(lock);
    writeFileSync(path.join(lock, "x"), "");
  },
  "a file": (lock) => writeFileSync(lock, ""),
  "a link to nothing": (lock) => symlinkSync("nowhere", lock),
  "a link out of the project": (lock) => symlinkSync("/", lock),
  "an empty folder": (lock) => mkdirSync(lock),
};
const HOUR_S = 3_600;
const FRESH_MS = 100;

/** As one who holds it: on a busy machine a program may take longer to start than a lock takes to be stale. */
function keepFresh(lock: string): () => void {
  const timer = setInterval(() => {
    const at = Date.now() / 1000;
    if (lstatSync(lock, { throwIfNoEntry: false })) lutimesSync(lock, at, at);
  }, FRESH_MS);
  return () => clearInterval(timer);
}

describe.concurrent.each(some(2, Object.entries(LOCKS)))("%s in the place of the state's lock", (_name, plant) => {
  it.each([
    ["of long ago", -HOUR_S],
    ["of the future", HOUR_S],
  ])("%s is taken away, and the state is saved", async (_when, fromNow) => {
    const stage = openStage();
    const lock = path.join(stage.project, ".plimsoll/.lock");
    mkdirSync(path.dirname(lock));
    plant(lock);
    const at = Date.now() / 1000 + fromNow;
    lutimesSync(lock, at, at);
    expect(await fire(stage, "PreCompact")).toBe(0);
    const left = readdirSync(path.dirname(lock));
    expect(left.filter((name) => STATE_FILES.some((file) => file === name))).not.toEqual([]);
    expect(left.filter((name) => name.startsWith(".lock"))).toEqual([]);
  });

  it("of this moment is waited for no longer than a moment, and the journal says so", async () => {
    const stage = openStage();
    const lock = path.join(stage.project, ".plimsoll/.lock");
    mkdirSync(path.dirname(lock));
    plant(lock);
    const isOver = keepFresh(lock);
    expect(await fire(stage, "PreCompact")).toBe(0);
    isOver();
    expect(readFileSync(path.join(stage.folder, "deeds-hook.jsonl"), "utf8")).toContain(
      "another process uses the lock",
    );
  });
});
