import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../../../../../dist/plimsoll.cjs");
const CODE = [
  "```ts",
  "// It is basically just really a very simple thing, of course.",
  "const rate = 0.25;\t// please note that",
  "  run('./src/hull.ts', \"v1.2.3\");\r",
  "```",
].join("\n");
const TEXT = `Of course! I would be happy to help. It is basically just a very small leak in \`src/hull.ts:12\`.\n\n${CODE}\n\nError: ENOENT: no such file, open '/hold/plank 7.txt'\n`;

/** The program itself, fed from a pipe. */
function pipe(input: string | Uint8Array, ...more: readonly string[]) {
  const { stdout, status } = spawnSync(process.execPath, [PROGRAM, "terse", "-", ...more], { input });
  return { text: stdout.toString("utf8"), status };
}

describe("plimsoll terse", () => {
  it("[R96] takes a text from a pipe, drops its filler, and leaves code, errors, paths and numbers byte for byte", () => {
    const { text, status } = pipe(TEXT);
    expect(status).toBe(0);
    expect(text.length).toBeLessThan(TEXT.length);
    for (const filler of ["Of course!", "just a very"]) expect(text).not.toContain(filler);
    expect(text).toContain(CODE);
    expect(text).toContain("`src/hull.ts:12`");
    expect(text).toContain("Error: ENOENT: no such file, open '/hold/plank 7.txt'\n");
  });

  it("[R96] adds nothing of its own: what is code alone comes out as it went in", () => {
    for (const code of [CODE, `${CODE}\n`, `\n\n${CODE}\n\n\n`]) expect(pipe(code).text).toBe(code);
  });

  it("tells both lengths to a script", () => {
    const { text } = pipe(TEXT, "--json");
    const told = JSON.parse(text);
    expect(told).toEqual({ charactersBefore: TEXT.length, charactersAfter: told.text.length, text: pipe(TEXT).text });
  });

  it.each([
    [[], "needs a file"],
    [["a", "b"], "unexpected argument"],
  ])("refuses %j", async (words, hint) => {
    const { exitCode, remarks } = await runPlimsoll(["terse", ...words]);
    expect({ exitCode, isHinted: remarks.includes(hint) }).toEqual({ exitCode: 2, isHinted: true });
  });
});
