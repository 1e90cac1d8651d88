/** If red: the status line fails, is slow to start or draws nonsense. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const temporary = createTemporaryFolder();
const STATUS = {
  session_id: "5e5510a0-0000-4000-8000-000000000001",
  cwd: temporary.folder,
  model: { id: "claude-opus-4-6" },
  cost: { total_cost_usd: 1.83 },
  context_window: {
    context_window_size: 200_000,
    current_usage: { input_tokens: 540, cache_creation_input_tokens: 3000, cache_read_input_tokens: 100_000 },
  },
};

/** Three ways to the same line: the plugin's own file, the package's, and the whole program. */
const PROGRAMS = [
  { name: "the plugin's file", words: ["plugin-classic/dist/statusline.cjs"] },
  { name: "the package's file", words: ["dist/statusline.cjs"] },
  { name: "plimsoll statusline", words: ["dist/plimsoll.cjs", "statusline"] },
] as const;

function run(words: readonly string[], input: string, environment: Readonly<Record<string, string>> = {}) {
  const [program = "", ...rest] = words;
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(ROOT, program), ...rest], {
    cwd: temporary.folder,
    env: { PATH: process.env.PATH ?? "", HOME: temporary.folder, LANG: "C.UTF-8", ...environment },
    input,
    encoding: "utf8",
  });
  return { status, line: stdout.trimEnd(), stderr };
}

describe.each(PROGRAMS)("$name", ({ words }) => {
  it("draws the client's status as one line, coloured unless that is not wanted", () => {
    const { line, status } = run(words, JSON.stringify(STATUS));
    expect(status).toBe(0);
    expect(line).toBe("\u001b[33m▲ YELLOW 62 % of load line\u001b[0m · 63k to compact · $1.83");
    expect(run(words, JSON.stringify(STATUS), { NO_COLOR: "1", COLUMNS: "24" }).line).toBe("▲ YELLOW 62 % of line");
  });
});

describe("the status line as the client runs it", () => {
  const words = PROGRAMS[0].words;

  it.each(["", "no JSON", "[]", "null", '{"context_window":7,"cost":"x","session_id":"../../x"}'])(
    "ends with 0 and draws no nonsense for %j",
    (input) => {
      const { status, line, stderr } = run(words, input);
      expect(status).toBe(0);
      expect(stderr).toBe("");
      expect(line).toMatch(/^$|size not known yet/);
    },
  );

  it("draws nothing for who has switched it off", () => {
    expect(run(words, JSON.stringify(STATUS), { PLIMSOLL_OFF: "1" }).line).toBe("");
    mkdirSync(path.join(temporary.folder, "off/.claude"), { recursive: true });
    writeFileSync(path.join(temporary.folder, "off/.claude/plimsoll.json"), '{ "on": false }');
    expect(run(words, JSON.stringify(STATUS), { HOME: path.join(temporary.folder, "off") }).line).toBe("");
  });

  it("keeps what it remembers in a private file, and draws on where that is damaged", () => {
    const home = path.join(temporary.folder, "own");
    run(words, JSON.stringify(STATUS), { HOME: home });
    const file = path.join(home, ".claude/data/plimsoll/sessions", STATUS.session_id, "reading.json");
    expect(existsSync(file)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, '{"growth":"x","journals":7,"used":{}');
    expect(run(words, JSON.stringify(STATUS), { HOME: home }).line).toContain("▲ YELLOW");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ growth: [], used: 103_540 });
  });

  it("is a small file without dependencies", () => {
    const text = readFileSync(path.join(ROOT, words[0]), "utf8");
    // A quarter of it checks that the person agreed to the project's settings.
    expect(text.length).toBeLessThan(30_000);
    const required = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
    expect([...new Set(required)].sort()).toEqual(["node:fs", "node:path"]);
  });
});
