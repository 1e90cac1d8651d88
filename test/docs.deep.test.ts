/** If red: an example in the documents does not compile or run. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
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
  [/^plimsoll prove /, "works on the reader's own tasks and account; test/client/prove.test.ts runs it"],
  [/^plimsoll (?:install|uninstall)$/, "asks a person; src/entry/cli/commands/install.test.ts answers"],
  [/^plimsoll fold test\.log|^plimsoll undo /, "about a log that the tutorial's reader makes; undo.test.ts runs it"],
  [/^plimsoll replay ~/, "about folders of the reader's own"],
];

/** What a builder has before they read on: a client, a long conversation. Everything of Plimsoll the blocks import themselves. */
const PRELUDE = `
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
const exchanges = Array.from({ length: 12 }, (_, day) => [
  { role: "assistant", content: [{ type: "tool_use", id: "call_" + day, name: "log", input: { day } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "call_" + day, content: ("day " + day + ": wind and waves\\n").repeat(300) }] },
]);
Object.assign(globalThis, {
  assert,
  client: new Anthropic(),
  model: "claude-sonnet-4-6",
  messages: [{ role: "user", content: "Read the logs." }, ...exchanges.flat()],
  tools: [],
  root: process.cwd(),
  targetTokens: 4000,
  signal: new AbortController().signal,
});
`;
const PRELUDE_TYPES = `
import type AnthropicSdk from "@anthropic-ai/sdk";
declare global {
  const assert: { ok(value: unknown): asserts value };
  const client: AnthropicSdk;
  const model: string;
  const messages: AnthropicSdk.MessageParam[];
  const tools: AnthropicSdk.Tool[];
  const root: string;
  const targetTokens: number;
  const signal: AbortSignal;
}
`;
const COMPILER = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2023",
    module: "nodenext",
    types: ["node"],
  },
  include: ["*.ts"],
};

/** What a block says of its effect, `// true: …`, as a check. */
function check(text: string): string {
  return text.replace(/\/\/ true: (.*)$/gm, "assert.ok($1);");
}

beforeAll(async () => {
  createBuildersProject(folder);
  const modules = path.join(project, "node_modules");
  cpSync(path.join(modules, "plimsoll/samples"), path.join(project, "samples"), { recursive: true });
  cpSync(path.join(project, "samples/demo-session.jsonl"), path.join(project, "session.jsonl"));
  const sessions = path.join(home, ".claude/projects/-home-dev-demo");
  mkdirSync(sessions, { recursive: true });
  cpSync(path.join(project, "session.jsonl"), path.join(sessions, "demo-session.jsonl"));
  writeFileSync(path.join(project, "prelude.mjs"), PRELUDE);
  writeFileSync(path.join(project, "prelude.d.ts"), PRELUDE_TYPES);
  writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify(COMPILER));
  symlinkSync(path.join(ROOT, "node_modules/@types"), path.join(modules, "@types"));
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
      // What other runs of this user have left in the common one is not theirs.
      TMPDIR: folder,
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

const documents = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith(".md") && !name.startsWith("docs/decisions"))
  .map((name) => ({ name, text: readFileSync(path.join(ROOT, name), "utf8") }));
const blocks = documents.flatMap(({ name, text }) => listCodeBlocks(text).map((block) => ({ name, ...block })));
/** A block that says by which name it is kept, and what runs it. */
const NAMED = /^\/\/ (\S+\.mjs): (plimsoll .*)$/m;
const isRun = (text: string): boolean => !NOT_RUN.some(([words]) => words.test(text));
const titled = <T extends { readonly name: string; readonly line: number }>(items: readonly T[]) =>
  items.map((item) => [`${item.name}:${item.line}`, item] as const);
const programs = blocks.filter(({ language }) => language === "ts" || language === "js");
const commands = blocks
  .filter(({ name, language }) => language === "" && name !== "docs/reference/cli.md")
  .flatMap(({ name, ...block }) => listCommands(block).map((command) => ({ name, ...command })));

describe("what the documents show", () => {
  it.each(titled(programs.filter(({ text }) => isRun(text))))(
    "imports from the packed package and runs: %s",
    async (title, { text }: CodeBlock) => {
      const [, name = `${title.replace(/\W/g, "-")}.mjs`, command] = NAMED.exec(text) ?? [];
      writeFileSync(path.join(project, name), transformSync(check(text), { loader: "ts" }).code);
      const { exitCode, output } = command
        ? await run("sh", ["-c", command])
        : await run(process.execPath, ["--import", path.join(project, "prelude.mjs"), path.join(project, name)]);
      expect(exitCode, `${text}\n${output}`).toBe(0);
    },
  );

  it("compiles, strictly, and says of every block what it brings about", async () => {
    const typed = programs.filter(({ language }) => language === "ts");
    expect(typed.filter(({ text }) => !text.includes("// true: ")).map(({ name, line }) => `${name}:${line}`)).toEqual(
      [],
    );
    for (const { name, line, text } of typed)
      writeFileSync(
        path.join(project, `${name}-${line}`.replace(/\W/g, "-").concat(".ts")),
        `${check(text)}\nexport {};\n`,
      );
    const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
    const { output } = await run(process.execPath, [tsc, "-p", project]);
    expect(output).toBe("");
  });

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
