import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { STATE_FILES } from "../../src/survive/project-state/state-files.ts";

const HASH = "ab".repeat(32);

/** Every place in a project from which something of ours reads, or to which it writes. */
const PLACES: readonly string[] = [
  ".ckignore",
  ".plimsollignore",
  ".ignore",
  ".gitignore",
  ".mcp.json",
  "CLAUDE.md",
  "Makefile",
  "package.json",
  ".claude/CLAUDE.md",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".claude/rules/rule.md",
  ".claude/agents/agent.md",
  ".claude/skills/one/SKILL.md",
  ".rune/active-context.md",
  "rules/rule.md",
  ".plimsoll/settings.json",
  ".plimsoll/.gitignore",
  ".plimsoll/active-context.md",
  ".plimsoll/archive.md",
  ".plimsoll/plan-1.md",
  ".plimsoll/rules/rule.md",
  ".plimsoll/memory/MEMORY.md",
  ".plimsoll/artifacts/.gitignore",
  ".plimsoll/artifacts/2026-01-01_bash_1.txt",
  ".plimsoll/artifacts/records/2026-01-01_bash_1.txt.json",
  `.plimsoll/artifacts/objects/${HASH.slice(0, 2)}/${HASH}`,
  ...STATE_FILES.map((file) => `.plimsoll/${file}`),
];

/** More than any file of ours, and little enough to be hashed within the patience of a test. */
const HUGE_BYTES = 128 * 2 ** 20;

/** What a clone or an archive can have in the place of a file. */
export const PLANTS: Readonly<Record<string, (file: string) => void>> = {
  "a pipe": (file) => void execFileSync("mkfifo", [file]),
  "a link to a pipe": (file) => {
    execFileSync("mkfifo", [`${file}.pipe`]);
    symlinkSync(`${file}.pipe`, file);
  },
  "a link to a device without an end": (file) => symlinkSync("/dev/zero", file),
  "a link to itself": (file) => symlinkSync(file, file),
  "a huge file": (file) => {
    writeFileSync(file, "");
    truncateSync(file, HUGE_BYTES);
  },
  "a folder": (file) => mkdirSync(file),
};

/** The same thing in every place. */
export function plantEverywhere(project: string, plant: (file: string) => void): void {
  for (const place of PLACES) {
    const file = path.join(project, place);
    mkdirSync(path.dirname(file), { recursive: true });
    plant(file);
  }
}
