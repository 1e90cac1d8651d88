/** If red: the reference pages or shell completion miss a command, an option or a JSON field. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { COMMANDS } from "../catalogue.ts";
import { COMPLETION_SHELLS, renderCompletion } from "../commands/programs/completion.ts";
import { renderMan } from "../commands/programs/man.ts";
import { renderReference } from "../help.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");
const temporary = createTemporaryFolder();
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const has = (program: string): boolean => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

describe("what is documented", () => {
  it("is what there is: docs/reference/cli.md holds every command and option, and no other", () => {
    const fix =
      "docs/reference/cli.md is stale: npm run build && node dist/plimsoll.cjs man --markdown > docs/reference/cli.md";
    expect(read("docs/reference/cli.md") === renderReference(COMMANDS), fix).toBe(true);
  });

  it.each(COMMANDS)("includes what plimsoll $name --json prints, in docs/reference/json.md", ({ name, options }) => {
    expect(options.map((option) => option.name)).toContain("json");
    expect(read("docs/reference/json.md")).toMatch(new RegExp(`^## .*plimsoll ${name}(?![\\w-])`, "m"));
  });

  it("includes every command and option in the manual page, which the formatter takes without a word", () => {
    const page = renderMan(COMMANDS, "1.2.3");
    for (const { name, options } of COMMANDS) {
      expect(page).toContain(`.SS ${name.replaceAll("-", "\\-")}`);
      for (const option of options) expect(page).toContain(`\\-\\-${option.name.replaceAll("-", "\\-")}`);
    }
    // Only requests that the man macros know, and no text that a line of it could be taken for one.
    const requests = page.split("\n").filter((line) => /^[.']/.test(line));
    for (const line of requests) expect(line).toMatch(/^\.(?:TH|SH|SS|TP|B|BR)\b/);
    if (!has("groff")) return;
    const { stderr } = spawnSync("groff", ["-man", "-ww", "-Tutf8"], { input: page, encoding: "utf8" });
    expect(stderr).toBe("");
  });
});

describe("completion", () => {
  it.each(COMPLETION_SHELLS)("names every command and option in %s", (shell) => {
    const script = renderCompletion(shell, COMMANDS);
    for (const { name, options } of COMMANDS) {
      expect(script).toContain(name);
      for (const option of options) expect(script).toMatch(new RegExp(`(?:--|-l )${option.name}\\b`));
    }
  });

  it.each(COMPLETION_SHELLS)("is a script that %s itself can read", (shell) => {
    if (!has(shell)) return;
    const file = path.join(temporary.folder, `plimsoll.${shell}`);
    writeFileSync(file, renderCompletion(shell, COMMANDS));
    expect(spawnSync(shell, ["-n", file], { encoding: "utf8" }).stderr).toBe("");
  });

  const complete = (...words: readonly string[]): readonly string[] => {
    const file = path.join(temporary.folder, "complete.bash");
    writeFileSync(file, renderCompletion("bash", COMMANDS));
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const script = `source '${file}'; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _plimsoll; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
  };

  it("completes commands, options, choices and files in bash", () => {
    expect(complete("plimsoll", "sta")).toEqual(["stats", "state", "statusline"]);
    expect(complete("plimsoll", "stats", "--in")).toEqual(["--injections"]);
    expect(complete("plimsoll", "stats", "--by", "m")).toEqual(["model", "month", "machine"]);
    expect(complete("plimsoll", "health", "--transcript", "package.j")).toEqual(["package.json"]);
    expect(complete("plimsoll", "stats", "READ")).toEqual(["README.md"]);
  });
});
