/** If red: the program ends with the wrong status, prints signs that the terminal lacks, or colours a pipe. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "../../../test/support/transcript-lines.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../../../dist/plimsoll.cjs");
const temporary = createTemporaryFolder();
const session = temporary.name();
writeFileSync(
  session,
  toFile(transcript({ type: "custom-title", customTitle: "naïve → title" }, prompt("x"), answer("m1", ["y"]))),
);

/** The program in a process of its own, with nothing of the environment but what is given. */
function start(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    cwd: temporary.folder,
    env: { HOME: temporary.folder, PATH: process.env.PATH ?? "", ...environment },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("the program", () => {
  it("says its version, as the package says it", () => {
    expect(start(["--version"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });

  it("ends with the status of what went wrong, and says it next to the output", () => {
    expect(start(["healht"])).toEqual({
      status: 2,
      stdout: "",
      stderr: 'plimsoll: there is no command "healht": did you mean health?\n',
    });
  });

  it("shows what it has in UTF-8, and in ASCII alone where the locale is C", () => {
    const shown = start(["health", "--transcript", session]).stdout;
    expect(shown).toContain("naïve → title");
    expect(shown).toContain("░");
    const ascii = start(["health", "--transcript", session], { LC_ALL: "C" }).stdout;
    expect(ascii).toContain("na?ve -> title");
    expect(ascii).toMatch(/^[\n -~]+$/);
  });

  it("is coloured only when asked: a pipe is no terminal", () => {
    expect(start(["health", "--transcript", session]).stdout).not.toContain("\u001b");
    expect(start(["health", "--transcript", session], { FORCE_COLOR: "1" }).stdout).toContain("\u001b[1m");
  });
});
