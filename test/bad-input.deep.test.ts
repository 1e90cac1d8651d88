/** If red: a damaged, unreadable or growing file gives a person wrong numbers or a broken terminal. */
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { some } from "./support/depth.ts";
import { asOrdinaryUser } from "./support/needs.ts";
import { createRunner, type Run, type RunOptions } from "./support/run-program.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { answer, prompt, toFile, toolResult, toolUse, transcript } from "./support/transcript-lines.ts";

const { folder, name } = createTemporaryFolder();
const run = createRunner();

const COMMANDS = ["health", "inspect", "stats"] as const;
type Command = (typeof COMMANDS)[number];

const MEGABYTE = 1 << 20;
const GIANT_BYTES = 200 * MEGABYTE;
const MOST_MEGABYTES = 700;

/** Four lines whose numbers are known. */
const GOOD = transcript(
  prompt("go"),
  answer("m1", [toolUse("t1", "Bash")], { cache_read_input_tokens: 20_000, output_tokens: 30 }),
  toolResult("t1", "a.ts"),
  answer("m2", ["done"], { cache_read_input_tokens: 21_000, output_tokens: 12 }),
);

function write(content: string | Buffer, suffix = ".jsonl"): string {
  const file = name(suffix);
  writeFileSync(file, content);
  return file;
}

const wordsFor = (command: Command, file: string): readonly string[] =>
  command === "stats" ? [command, file] : [command, "--transcript", file];

/** Both ways to print, at the same time. */
async function runBoth(command: Command, file: string, options?: RunOptions): Promise<readonly [Run, Run]> {
  const words = wordsFor(command, file);
  const [text, json] = await Promise.all([run(words, options), run([...words, "--json"], options)]);
  for (const one of [text, json]) expectManners(one);
  return [text, json];
}

/** Whatever happens: no hang, no stack trace, no more than a line of remarks, and either an answer or a reason. */
function expectManners({ exitCode, output, remarks, isTimedOut, peakMegabytes }: Run): void {
  expect(isTimedOut).toBe(false);
  expect([0, 2, 3]).toContain(exitCode);
  expect(remarks).not.toMatch(/^ {4}at /m);
  expect(remarks).toMatch(exitCode === 0 ? /^$/ : /^plimsoll: [^\n]+\n$/);
  expect(output === "").toBe(exitCode !== 0);
  expect(peakMegabytes).toBeGreaterThan(10);
  expect(peakMegabytes).toBeLessThan(MOST_MEGABYTES);
}

describe.each(some(1, COMMANDS))("plimsoll %s refuses, in one line", (command) => {
  const isStats = command === "stats";

  it.each([
    {
      what: "an empty file",
      file: () => write(""),
      reason: isStats ? "no request" : "is empty",
      exitCode: isStats ? 3 : 2,
    },
    {
      what: "a folder without sessions",
      file: () => makeFolder(),
      reason: isStats ? "no recorded sessions" : "is a folder",
      exitCode: isStats ? 3 : 2,
    },
    { what: "a file that is missing", file: () => name(), reason: "there is no", exitCode: 2 },
    {
      what: "a file of random bytes",
      file: () => write(createNoise(300_000)),
      reason: isStats ? "no request" : "none of its",
      exitCode: isStats ? 3 : 2,
    },
    {
      what: "a file of JSON that is no record",
      file: () => write('[1,2]\n5\nnull\n"text"\n{"a":1}\n{"type":"user","message":null}\n'),
      reason: isStats ? "no request" : "none of its 6 lines could be understood (6 malformed)",
      exitCode: isStats ? 3 : 2,
    },
    {
      what: "200 MB without a line feed",
      file: () => writeGiant("", ""),
      reason: isStats ? "no request" : "contains no complete line",
      exitCode: isStats ? 3 : 2,
    },
    {
      what: "a device",
      file: () => "/dev/null",
      reason: isStats ? "neither a file" : "not a regular file",
      exitCode: 2,
    },
    { what: "a pipe", file: () => makePipe(), reason: isStats ? "neither a file" : "not a regular file", exitCode: 2 },
    {
      what: "a session that has only just begun",
      file: () => write('{"type":"queue-operation","operation":"enqueue"}\n{"type":"mode","mode":"normal"}\n'),
      reason: isStats ? "no request" : "only just begun",
      exitCode: 3,
    },
  ])("$what", async ({ file, reason, exitCode }) => {
    for (const one of await runBoth(command, file())) {
      expect(one).toMatchObject({ exitCode, output: "" });
      expect(one.remarks).toContain(reason);
    }
  });
});

describe.each(COMMANDS)("plimsoll %s refuses to an ordinary user", (command) => {
  asOrdinaryUser.it("a file that it may not read", async () => {
    const file = write(toFile(GOOD));
    chmodSync(file, 0o000);
    for (const one of await runBoth(command, file)) {
      expect(one.exitCode).toBe(2);
      expect(one.remarks).toContain("no permission");
    }
  });
});

describe("numbers stay right next to bad lines", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const nested = `{"type":"user","uuid":"x","message":{"content":[{"type":"new","x":${deep}}]}}`;
  const noRecords = [
    '{"type":"user","uuid":"x","message":null}',
    '{"type":"assistant","uuid":"x","message":null}',
    "[1,2,3]",
    "5",
    "null",
    GOOD[1]?.slice(0, 300) ?? "",
    nested,
    "\u0000\u0001",
  ];

  /** How many lines of each file are malformed, and whether its last one is still open. */
  const cases: readonly {
    readonly what: string;
    readonly file: () => string;
    readonly malformed: number;
    readonly unfinished?: boolean;
  }[] = [
    {
      what: "null messages, lists, bare values, half lines, endless nesting",
      file: () => write(toFile([...GOOD.slice(0, 3), ...noRecords, ...GOOD.slice(3)])),
      malformed: noRecords.length,
    },
    {
      what: "a byte order mark, carriage returns, blank lines",
      file: () => write(`\uFEFF${toFile(GOOD, "\r\n\r\n\n")}`),
      malformed: 0,
    },
    {
      what: "text that is no UTF-8, and no line feed at the end",
      file: () => write(spoilText(toFile(GOOD).trimEnd())),
      malformed: 0,
    },
    {
      what: "a last line that is cut",
      file: () => write(`${toFile(GOOD)}{"type":"assis`),
      malformed: 0,
      unfinished: true,
    },
    {
      what: "a line of 200 MB",
      file: () => writeGiant(toFile(GOOD.slice(0, 2)), `\n${toFile(GOOD.slice(2))}`),
      malformed: 1,
    },
    { what: "200 MB that do not end", file: () => writeGiant(toFile(GOOD), ""), malformed: 0, unfinished: true },
  ];

  it.each(cases)("in plimsoll health: $what", async ({ file, malformed, unfinished = false }) => {
    const [text, json] = await runBoth("health", file());
    expect(JSON.parse(json.output)).toMatchObject({
      source: "usage",
      confidence: "exact",
      usedTokens: 21_003,
      steps: 2,
      toolCalls: 1,
      compactions: 0,
      lines: { parsed: 4, ignored: 0, malformed, lines: 4 + malformed },
    });
    expect(text.output).toContain("21.0k of 200k");
    expect(/(\d+) malformed lines? skipped/.exec(text.output)?.[1] ?? "0").toBe(String(malformed));
    expect(text.output.includes("unfinished last line")).toBe(unfinished);
  });

  it.each(cases)("in plimsoll inspect: $what", async ({ file, malformed, unfinished = false }) => {
    const [text, json] = await runBoth("inspect", file());
    const inspection = JSON.parse(json.output);
    expect(inspection).toMatchObject({
      steps: 2,
      windows: 1,
      callsByTool: { Bash: 1 },
      current: { contextTokens: 21_003 },
      lines: { parsed: 4, malformed },
    });
    expect(inspection.lines.unfinishedBytes > 0).toBe(unfinished);
    expect(text.output).toContain("What filled the last request (21.0k tokens)");
    expect(text.output).toContain(`${4 + malformed}: 4 parsed, 0 ignored on purpose, ${malformed} malformed`);
  });

  it.each(cases)("in plimsoll stats: $what", async ({ file, malformed }) => {
    const [text, json] = await runBoth("stats", file());
    const { totals, lines, toolCalls } = JSON.parse(json.output);
    expect(totals).toMatchObject({ requests: 2, inputTokens: 6, cacheReadTokens: 41_000, outputTokens: 42 });
    expect(toolCalls).toBe(1);
    // Lines that are not about usage are not decoded, so they count as read or as passed over, and not as malformed.
    expect(lines.read + lines.notAboutUsage).toBe(4 + malformed);
    expect(lines.malformed).toBeLessThanOrEqual(malformed);
    expect(text.output).toMatch(/total +2 +6 +0 +41\.0k +42 /);
  });
});

describe("plimsoll in a C locale", () => {
  const file = path.join(makeFolder("größe-日本"), "session.jsonl");
  const title = "Fähre → 日本 · 🚢 …";
  writeFileSync(file, toFile([...GOOD, JSON.stringify({ type: "ai-title", aiTitle: title })]));

  it.each(COMMANDS)("prints pure ASCII with %s, and JSON that is still true", async (command) => {
    const [text, json] = await runBoth(command, file, { environment: { LC_ALL: "C" } });
    for (const { output } of [text, json]) expect(output).toMatch(/^[\n\u0020-\u007e]+$/);
    if (command !== "stats") expect(JSON.parse(json.output).transcript).toBe(file);
  });

  it("shows what it cannot print in an error as question marks", async () => {
    const { remarks } = await run(["health", "--transcript", "größe.jsonl"], { environment: { LC_ALL: "C" } });
    expect(remarks).toBe("plimsoll: there is no file gr??e.jsonl\n");
  });

  it("prints a title as it is where the locale can show it", async () => {
    const { output } = await run(wordsFor("health", file));
    expect(output.split("\n")[0]).toBe(title);
  });
});

describe("plimsoll on a file that grows while it is read", () => {
  it.each(COMMANDS)("gives the numbers of some moment with %s", async (command) => {
    const file = write(toFile(GOOD));
    const writer = spawn(process.execPath, ["-e", GROW, file], { stdio: "ignore" });
    try {
      const [, json] = await runBoth(command, file);
      expectOneMoment(command, JSON.parse(json.output));
    } finally {
      writer.kill("SIGKILL");
    }
  });

  /** The nth answer that is added reads n thousand tokens more than the last good one. */
  function expectOneMoment(command: Command, printed: ReturnType<typeof JSON.parse>): void {
    expect(printed.lines.malformed).toBe(0);
    const added = (command === "stats" ? printed.totals.requests : printed.steps) - 2;
    if (command === "stats") {
      const readTokens = 41_000 + added * 21_000 + ((added * (added + 1)) / 2) * 1_000;
      expect(printed.totals.cacheReadTokens).toBe(readTokens);
    } else {
      expect(printed.usedTokens ?? printed.current.contextTokens).toBe(21_003 + added * 1_000);
      expect(printed.lines.lines).toBe(4 + added);
    }
  }

  /** Writes answers in two halves each, so that a reader mostly meets a line that is not whole. */
  const GROW = `
    const { appendFileSync } = require("node:fs");
    const file = process.argv[1];
    const line = (n) => JSON.stringify({ type: "assistant", uuid: "g" + n, parentUuid: n === 1 ? "l4" : "g" + (n - 1),
      isSidechain: false, version: "2.1.219", message: { id: "g" + n, role: "assistant", model: "claude-opus-4-6",
      content: [{ type: "text", text: "\\u65e5".repeat(200) }], stop_reason: "end_turn",
      usage: { input_tokens: 3, cache_read_input_tokens: 21000 + n * 1000, output_tokens: 1 } } });
    for (let n = 1; n < 400; n++) {
      const bytes = Buffer.from(line(n) + "\\n");
      appendFileSync(file, bytes.subarray(0, 301));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
      appendFileSync(file, bytes.subarray(301));
    }`;
});

describe("plimsoll into a pipe that is closed early", () => {
  it.each(COMMANDS)("ends quietly with %s", async (command) => {
    const words = wordsFor(command, write(toFile(GOOD)));
    for (const one of await Promise.all([words, [...words, "--json"]].map((all) => run(all, { closesOutput: true })))) {
      expect(one).toMatchObject({ exitCode: 0, output: "", remarks: "", isTimedOut: false });
    }
  });
});

/** Zeros between what comes before and after them; the file system stores none of them. */
function writeGiant(before: string, after: string): string {
  const file = write(before);
  truncateSync(file, before.length + GIANT_BYTES);
  appendFileSync(file, after);
  return file;
}

/** The same bytes in every run, line feeds among them. */
function createNoise(length: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state & 0xff;
    }),
  );
}

/** Bytes that are no UTF-8 in the middle of the prompt. */
function spoilText(content: string): Buffer {
  const at = content.indexOf("go");
  return Buffer.concat([
    Buffer.from(content.slice(0, at)),
    Buffer.from([0xff, 0xc3, 0x28]),
    Buffer.from(content.slice(at)),
  ]);
}

function makeFolder(basename = `folder-${Math.random()}`): string {
  const made = path.join(folder, basename);
  mkdirSync(made);
  return made;
}

function makePipe(): string {
  const pipe = name();
  execFileSync("mkfifo", [pipe]);
  return pipe;
}
