import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer } from "./api/replies.ts";
import { createScriptedApi, type ScriptedApi } from "./api/scripted-api.ts";
import { type CodeBlock, listCodeBlocks, listCommands } from "./support/code-blocks.ts";
import { createBuildersProject } from "./support/packed-package.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const { folder } = createTemporaryFolder();
const project = path.join(folder, "project");
const home = path.join(folder, "home");
let api: ScriptedApi;

/** What cannot be run here, by the words that name it, and why. As few as possible. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^plimsoll (?:dashboard|gateway)\b/, "stays until it is ended; test/dashboard-page.test.ts and test/gateway run it"],
  [/^plimsoll run -- claude/, "needs the real client; test/client/gateway-session.test.ts runs it"],
  [/^plimsoll run .*-- codex/, "needs the real client; test/client/codex-gateway.test.ts runs it"],
  [/^plimsoll install --host codex/, "needs the real client; test/client/codex-install.test.ts runs it"],
  [/^plimsoll (?:install|uninstall)$/, "asks a person; src/doors/cli/commands/install.test.ts answers"],
  [/^plimsoll fold test\.log|^plimsoll undo /, "about a log that the tutorial's reader makes; undo.test.ts runs it"],
  [/^plimsoll replay ~/, "about folders of the reader's own"],
  [/findBreaches\(/, "about the layer contract of this repository, which the package does not hold"],
];

/** What a builder has before they read on: a client, a conversation. Everything of Plimsoll the blocks import themselves. */
const PRELUDE = `
import Anthropic from "@anthropic-ai/sdk";
const line = (day, index) => ({ type: "text", text: \`day \${day}: \${"wind and waves ".repeat(40)}\${index}\` });
const messages = Array.from({ length: 40 }, (_, day) => ({
  role: day % 2 === 0 ? "user" : "assistant",
  content: [line(day, 0)],
})).slice(0, 39);
Object.assign(globalThis, {
  client: new Anthropic(),
  model: "claude-sonnet-4-6",
  messages,
  tools: [],
  root: process.cwd(),
  targetTokens: 4000,
  signal: new AbortController().signal,
  ledger: undefined,
});
`;

beforeAll(async () => {
  createBuildersProject(folder);
  const modules = path.join(project, "node_modules");
  cpSync(path.join(modules, "plimsoll/samples"), path.join(project, "samples"), { recursive: true });
  cpSync(path.join(project, "samples/demo-session.jsonl"), path.join(project, "session.jsonl"));
  const sessions = path.join(home, ".claude/projects/-home-dev-demo");
  mkdirSync(sessions, { recursive: true });
  cpSync(path.join(project, "session.jsonl"), path.join(sessions, "demo-session.jsonl"));
  writeFileSync(path.join(project, "prelude.mjs"), PRELUDE);
  writeFileSync(path.join(project, "CLAUDE.md"), "- Use tabs.\n");
  for (const name of ["a.ts", "b.ts", "task.md"]) writeFileSync(path.join(project, name), "export const sails = 3;\n");
  const program = path.join(folder, "bin/plimsoll");
  mkdirSync(path.dirname(program));
  symlinkSync(path.join(modules, "plimsoll/dist/plimsoll.cjs"), program);
  api = await createScriptedApi({ main: () => answer("<summary>Waves.</summary><memories>none</memories>") });
});

afterAll(() => api.close());

interface Run {
  readonly exitCode: number | null;
  readonly output: string;
}

function run(program: string, words: readonly string[]): Promise<Run> {
  const child = spawn(program, words, {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: `${path.join(folder, "bin")}:${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: home,
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: "made-up",
    },
  });
  let output = "";
  for (const pipe of [child.stdout, child.stderr]) pipe.on("data", (bytes) => (output += bytes));
  return new Promise((resolve) => child.once("close", (exitCode) => resolve({ exitCode, output })));
}

const documents = ["README.md", ...readdirSync(path.join(ROOT, "docs")).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(path.join(ROOT, name), "utf8") }));
const blocks = documents.flatMap(({ name, text }) => listCodeBlocks(text).map((block) => ({ name, ...block })));
/** A block that says by which name it is kept, and what runs it. */
const NAMED = /^\/\/ (\S+\.mjs): (plimsoll .*)$/m;
const isRun = (text: string): boolean => !NOT_RUN.some(([words]) => words.test(text));
const titled = <T extends { readonly name: string; readonly line: number }>(items: readonly T[]) =>
  items.map((item) => [`${item.name}:${item.line}`, item] as const);
const programs = blocks.filter(({ language }) => language === "ts" || language === "js");
const commands = blocks
  .filter(({ name, language }) => language === "" && name !== "docs/cli.md")
  .flatMap(({ name, ...block }) => listCommands(block).map((command) => ({ name, ...command })));

describe("what the documents show", () => {
  it.each(titled(programs.filter(({ text }) => isRun(text))))(
    "imports from the packed package and runs: %s",
    async (title, { text }: CodeBlock) => {
      const [, name = `${title.replace(/\W/g, "-")}.mjs`, command] = NAMED.exec(text) ?? [];
      writeFileSync(path.join(project, name), transformSync(text, { loader: "ts" }).code);
      const { exitCode, output } = command
        ? await run("sh", ["-c", command])
        : await run(process.execPath, ["--import", path.join(project, "prelude.mjs"), path.join(project, name)]);
      expect(exitCode, `${text}\n${output}`).toBe(0);
    },
  );

  it.each(titled(commands.filter(({ text }) => isRun(text))))("can be typed: %s", async (_, { text }) => {
    const { exitCode, output } = await run("sh", ["-c", text]);
    expect(exitCode, `${text}\n${output}`).toBe(0);
  });

  it("is run, or named with a reason that is still needed", () => {
    const shown = [...programs, ...commands];
    const unmarked = blocks.filter(
      ({ language, text }) => language === "" && /^(?:import|const|let|await) /m.test(text),
    );
    expect(unmarked.map(({ name, line }) => `${name}:${line} is a program: fence it as ts`)).toEqual([]);
    expect(programs.length).toBeGreaterThan(10);
    expect(commands.length).toBeGreaterThan(10);
    expect(NOT_RUN.filter(([words]) => !shown.some(({ text }) => words.test(text))).map(String)).toEqual([]);
  });
});
