/** If red: an example that people copy does not run or does not do what it says. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiRequest } from "./api/api-request.ts";
import { blocksOf } from "./api/messages-body.ts";
import { answer, call, overflow } from "./api/replies.ts";
import type { Reply, Scenario } from "./api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "./api/scripted-api.ts";
import { STREAMED } from "./api/stream-events.ts";
import { validateMessages } from "./api/validate-messages.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const EXAMPLES = path.join(ROOT, "examples");
const require = createRequire(import.meta.url);
const { folder } = createTemporaryFolder();
let api: ScriptedApi | undefined;

afterEach(async () => {
  await api?.close();
});

interface Run {
  readonly output: string;
  readonly sent: readonly ApiRequest[];
}

/** Runs an example as a person would, with the built package behind its imports, against a scripted API. */
async function run(
  example: string,
  main: Scenario["main"],
  words: readonly string[] = [],
  pace?: Scenario["pace"],
): Promise<Run> {
  if (!existsSync(path.join(ROOT, "dist/wire")))
    throw new Error("dist is missing: run npm run build, as npm test does");
  api = await createScriptedApi({ main, ...(pace ? { pace } : {}) });
  const child = spawn(process.execPath, ["--import", require.resolve("tsx"), path.join(EXAMPLES, example), ...words], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      EXAMPLE_FOLDER: folder,
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: "made-up",
      // The built package is what a person imports; `paths` are for the compiler only.
      TSX_TSCONFIG_PATH: path.join(ROOT, "tsconfig.json"),
    },
  });
  let output = "";
  child.stdout.on("data", (bytes) => {
    output += bytes;
  });
  child.stderr.on("data", (bytes) => {
    output += bytes;
  });
  const exitCode = await new Promise((resolve) => child.once("close", resolve));
  expect(exitCode, output).toBe(0);
  for (const { body } of api.requests) expect(validateMessages(body)).toEqual([]);
  return { output, sent: api.requests };
}

function textOf(request: ApiRequest | undefined): string {
  return JSON.stringify(request?.body.messages);
}

describe("the examples", () => {
  it("are all run here, each within 120 lines, and type-check", () => {
    const numbered = readdirSync(EXAMPLES).filter((name) => /^\d\d-.*\.ts$/.test(name));
    const tested = readFileSync(import.meta.filename, "utf8");
    expect(numbered.filter((name) => !tested.includes(`run("${name}"`) && !tested.includes(`, "${name}", /`))).toEqual(
      [],
    );
    for (const name of numbered)
      expect(readFileSync(path.join(EXAMPLES, name), "utf8").split("\n").length, name).toBeLessThan(120);
    const tsc = path.join(path.dirname(require.resolve("typescript/package.json")), "bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "--noEmit", "-p", EXAMPLES], { encoding: "utf8" });
    expect(stdout).toBe("");
  });

  it("01: sends a lighter conversation, and the same beginning the next time", async () => {
    const { output, sent } = await run("01-minimal.ts", [answer("The seventh."), answer("cart.test.ts")]);
    const [first, second] = sent.map(({ body }) => body.messages);
    expect(textOf(sent[0]).length).toBeLessThan(60_000);
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(textOf(sent[0])).toContain("FAIL src/cart.test.ts");
    expect(output).toMatch(/originals, such as plimsoll:[0-9a-f]{12}/);
  });

  it("02: sends what the layer left, with the failures in it", async () => {
    const { output, sent } = await run("02-own-layer.ts", [answer("ok")]);
    expect(textOf(sent[0])).toContain("FAIL src/cart.test.ts > rounds to the cent");
    expect(textOf(sent[0])).toMatch(/300 tests passed; all of it under plimsoll:[0-9a-f]{12}/);
    expect(textOf(sent[0])).not.toContain("ok 17");
    expect(output).toContain("dropPassedTests: 20 edits");
  });

  it("03: works through files with all five layers, recalls, remembers, and leaves the originals on disk", async () => {
    const lines = (file: string): string =>
      Array.from({ length: 200 }, (_, line) => `export const ${path.basename(file, ".ts")}_${line} = ${line};`).join(
        "\n",
      );
    // Long names make a ledger heavy: in the end only a summary gets below the line.
    const files = Array.from({ length: 35 }, (_, index) =>
      path.join(folder, `module${index}${index < 20 ? "" : "_of_the_hull".repeat(18)}.ts`),
    );
    for (const file of files) writeFileSync(file, lines(file));
    const notes = path.join(folder, "notes.md");
    const noted = "exports are constants, all of them\n".repeat(110);
    writeFileSync(notes, noted);
    const { output, sent } = await run("03-anthropic-agent.ts", createReader(files, notes), [
      "Say what they are for.\n".repeat(1_500),
    ]);
    expect(output).toContain("Constants, all of them.");
    expect(Math.max(...sent.map((request) => textOf(request).length))).toBeLessThan(20_000 * 4);
    expect(recalledIn(sent)).toContain(noted);
    expect(readFileSync(path.join(folder, ".plimsoll/memory/general.md"), "utf8")).toContain("modules hold constants");
    const handles = new Set(sent.flatMap((request) => textOf(request).match(/plimsoll:[0-9a-f]{12}/g) ?? []));
    const kept = readdirSync(path.join(folder, ".plimsoll/artifacts/objects"), { recursive: true, encoding: "utf8" });
    for (const handle of handles)
      expect(
        kept.some((name) => path.basename(name).startsWith(handle.slice("plimsoll:".length))),
        handle,
      ).toBe(true);
  });

  it("04: asks for summary and memories in one request, and goes on with them", async () => {
    const { output, sent } = await run("04-summariser.ts", [
      answer("<summary>Seeds 7 and 14 fail.</summary>\n<memories>\n- Testing: tests take a seed\n</memories>"),
      answer("It is cart.test.ts."),
    ]);
    expect(sent).toHaveLength(2);
    expect(textOf(sent[0])).toContain("<conversation>");
    expect(textOf(sent[1])).toContain("So far:\\nSeeds 7 and 14 fail.");
    expect(readFileSync(path.join(folder, ".plimsoll/memory/testing.md"), "utf8")).toContain("tests take a seed");
    expect(output).toContain("It is cart.test.ts.");
  });

  it("06: assembles a prompt that stays cached, and names what breaks one", async () => {
    const { output } = await run("06-stable-prompt.ts", []);
    expect(output).toMatch(/^static prefix [0-9a-f]{16} \(\d+ tokens\) stable over 2 requests$/m);
    expect(output).toContain("static prefix CHANGED: 2 versions over 2 requests");
    expect(output).toMatch(/^request 2: System rules \(static\) broke the prefix .*2026-03-01.* -> .*2026-03-02/m);
    expect(output).toContain("2 placed, ");
  });

  it("[R58] 07: folds an output and a block of code, and finds the files of a task", async () => {
    const { output } = await run("07-outputs-and-files.ts", []);
    expect(output).toContain("[WARN] checksum mismatch in hull.bin");
    expect(output).toContain("a block of 4834 characters made room: true");
    expect(output).toContain("src/refund.ts, src/money.ts;");
    expect(output).not.toContain("src/paint.ts");
  });

  it("08: weighs, prices and retells a recorded session", async () => {
    const { output } = await run("08-recorded-session.ts", [], [path.join(ROOT, "samples/demo-session.jsonl")]);
    expect(output).toMatch(/^\d{6} tokens by usage, RED of 100k$/m);
    expect(output).toContain(" 0 unknown, 0 malformed");
    expect(output).toMatch(/^\$\d+\.\d\d in 55 requests; input at \$\d+ a million$/m);
    expect(output).toContain("55 requests, 6 times the person spoke, 25 files, ");
  });

  it("[R122] [R124] [R125] [R109] 09: reads the instructions of one scope, keeps lessons, and gates a bundle", async () => {
    const { output } = await run("09-memory-and-scopes.ts", []);
    expect(output).toContain("instructions: CLAUDE.md, packages/api/CLAUDE.md\n");
    expect(output).not.toContain("blue");
    expect(output).toMatch(/CONFLICT on "[^"]+": instruction files disagree/);
    expect(output).toContain("- [Testing](testing.md): Fixtures are recorded.");
    expect(output).toContain("## release.md\n\n# Release\n- 2026-01-02: Tag before publishing.");
    expect(output).not.toContain("## testing.md");
    expect(output).toContain("consolidated: deploy.md listed, 1 lesson said twice");
    expect(output).toMatch(/(?:proceed|warn) at \d+ tokens; sent: 8\d{3} characters, cut: CLAUDE.md, packages/);
  });

  it("[R190] 11: has a result before the answer that asked for it has ended, and both in the next turn", async () => {
    for (const name of ["a", "b"]) writeFileSync(path.join(folder, `${name}.txt`), `what is in ${name}`);
    const [first, second, missing] = ["a", "b", "none"].map((name) => path.join(folder, `${name}.txt`));
    const reads = [first, missing, second].map((file) => call("read_file", { path: file }));
    const script = [answer("Reading.", ...reads), answer("Two files.")];
    const { output, sent } = await run("11-streamed-tools.ts", script, [], STREAMED);
    expect(output.indexOf(`done: ${first}`)).toBeLessThan(output.indexOf("the answer is complete"));
    expect(output.indexOf(`done: ${first}`)).toBeGreaterThan(0);
    const results = blocksOf(sent[1]?.body.messages.at(-1)?.content ?? []).map(({ content }) => content);
    expect(results).toEqual(["what is in a", "not read: failed", "what is in b"]);
    expect(output).toContain("Two files.");
  });

  it.each([
    ["05", "05-ai-sdk-agent.ts", /^10 steps, [1-9]\d* decisions: On the fifth\.$/m],
    ["10", "10-langchain-agent.ts", /^20 messages: On the fifth\.$/m],
  ])(
    "%s: keeps every step below the line, each with the beginning of the one before, and recalls a day",
    async (_, example, said) => {
      const { output, sent } = await run(example, createLogReader());
      expect(Math.max(...sent.map((request) => textOf(request).length))).toBeLessThan(20_000 * 4);
      // Unshortened the eight logs are three times that.
      expect(sent.length).toBeGreaterThanOrEqual(10);
      expect(recalledIn(sent)).toContain("day 2 0 request served in 0 ms\nday 2 1 request served in 2 ms");
      expect(recalledIn(sent)).toContain("day 2 399 request served in");
      expect(JSON.stringify(sent[0]?.body.system ?? sent[0]?.body.messages)).toContain("Slow means above 80 ms.");
      expect(output).toMatch(said);
    },
  );

  it("are whole agents in at most 40 lines", () => {
    for (const name of ["03-anthropic-agent.ts", "05-ai-sdk-agent.ts", "10-langchain-agent.ts"])
      expect(readFileSync(path.join(EXAMPLES, name), "utf8").trimEnd().split("\n").length, name).toBeLessThanOrEqual(
        40,
      );
  });
});

/** What the last call of `recall` was answered. */
function recalledIn(sent: readonly ApiRequest[]): string {
  const asked = sent.find(({ body }) => JSON.stringify(body.messages.at(-2) ?? "").includes('"recall"'));
  const [recalled] = blocksOf(asked?.body.messages.at(-1)?.content ?? []);
  const content: unknown = recalled?.content;
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text }) => text).join("") : "";
}

/** Reads eight days, wants the second one back by whatever handle it is behind now, and answers. */
function createLogReader(): (request: ApiRequest, step: number) => Reply {
  return (request, step) => {
    if (step < 8) return answer(call("readLog", { day: step + 1 }));
    if (step > 8) return answer("On the fifth.");
    const text = textOf(request);
    const folded = /day 2 \d(?:(?!FOLDED).)*?Full output: (plimsoll:[0-9a-f]{12})/.exec(text)?.[1];
    const [, segment, line] =
      /recall (plimsoll:[0-9a-f]{12})#N(?:(?!recall plimsoll:).)*?(?:\\n|")(\d+) readLog [^\\]*2\b/.exec(text) ?? [];
    return answer(call("recall", { handle: folded ?? `${segment}#${line}` }));
  };
}

/** Reads file after file, and the notes each time; the API refuses once; at the end the model wants the notes back. */
function createReader(files: readonly string[], notes: string): (request: ApiRequest) => Reply {
  const reads = files.length * 2;
  let step = -1;
  return (request) => {
    const text = textOf(request);
    if (text.includes("<conversation>"))
      return answer("<summary>Constants.</summary><memories>- modules hold constants</memories>");
    step++;
    if (step < reads)
      return answer(call("read_file", { path: files[step % files.length] }), call("read_file", { path: notes }));
    if (step === reads) return overflow(210_000, 200_000);
    if (step > reads + 1) return answer("Constants, all of them.");
    // A number belongs to the segment that it stands in.
    const found =
      /recall (plimsoll:[0-9a-f]{12})#N(?:(?!recall plimsoll:).)*?(?:\\n|")(\d+) read_file \S*notes\.md → \(/.exec(
        text,
      );
    // The notes are the only file of so many lines. The newest reading is folded, unless it has gone into the ledger, too.
    const folded = /read_file output — 110 lines(?:(?!FOLDED).)*?Full output: (plimsoll:[0-9a-f]{12})/.exec(text)?.[1];
    return answer(call("recall", { handle: folded ?? `${found?.[1]}#${found?.[2]}` }));
  };
}
