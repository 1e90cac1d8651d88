import type { LoadedInstruction } from "../../hosts/baseline.ts";
import { dedupeFiles } from "../../library/prompt/instructions/dedupe-files.ts";
import { findProse } from "../../library/prompt/instructions/find-prose.ts";
import { findRuleConflicts } from "../../library/prompt/instructions/find-rule-conflicts.ts";
import {
  MAX_INSTRUCTION_FILE_CHARACTERS,
  MAX_TOTAL_INSTRUCTION_CHARACTERS,
} from "../../library/prompt/instructions/fit-instructions.ts";
import type { InstructionFile, InstructionPlace } from "../../library/prompt/instructions/instruction-file.ts";
import { MAX_INDEX_LINES } from "../../library/prompt/memory/memory-index.ts";
import { checkLines } from "../audit/find-budget-warnings.ts";
import { type Finding, inFile, warn } from "./finding.ts";

/** Forty files of 4,000 characters: what a recursive walk through a monorepo loads. */
const ALL_LOADED_FILES = 40;
const ALL_LOADED_CHARACTERS = 160_000;

/** Checks a project's instruction files; `files` are those that every request carries. */
export function checkInstructions(
  files: readonly LoadedInstruction[],
  memoryIndex: InstructionFile | undefined,
): readonly Finding[] {
  return [
    ...files.flatMap(checkFile),
    ...checkTotal(files),
    ...files.flatMap(checkImport),
    ...checkMemory(memoryIndex),
    ...dedupeFiles(files).duplicates.map(({ path, sameAs }) => {
      const what = `the file contains the same text as ${sameAs}`;
      return warn("duplicate-instructions", inFile(path), what, "keep only one of the two files");
    }),
  ];
}

function checkFile({ path, text }: InstructionFile): readonly Finding[] {
  const found: Finding[] = [];
  if (text.length > MAX_INSTRUCTION_FILE_CHARACTERS) {
    const what = `the file has ${text.length} characters, more than the recommended ${MAX_INSTRUCTION_FILE_CHARACTERS}`;
    found.push(warn("file-budget", inFile(path), what, "keep what every task needs, and refer to files for the rest"));
  }
  const tooLong = checkLines({ path, lines: text.trimEnd().split("\n").length });
  if (tooLong) found.push(tooLong);
  const prose = findProse(text);
  if (prose) {
    const what = `${Math.round(prose.share * 100)} % of the file is running text; the longest paragraph has ${prose.longestCharacters} characters`;
    const fix = "write one rule per list item, under headings, so that parts can be found, compared and left out";
    found.push(warn("free-prose-rules", inFile(path, prose.line), what, fix));
  }
  return found;
}

function checkTotal(files: readonly InstructionFile[]): readonly Finding[] {
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  const [heaviest] = [...files].sort((left, right) => right.text.length - left.text.length);
  if (!heaviest) return [];
  if (characters >= ALL_LOADED_CHARACTERS || files.length >= ALL_LOADED_FILES) {
    const what = `${files.length} files with ${characters} characters are loaded with every request`;
    const fix =
      "give rules a paths: field, and put instructions for one part of the project into the CLAUDE.md of its folder";
    return [{ ...warn("unconditional-loading", inFile(heaviest.path), what, fix), severity: "error" }];
  }
  if (characters <= MAX_TOTAL_INSTRUCTION_CHARACTERS) return [];
  const what = `the ${files.length} instruction files have ${characters} characters in total, more than the recommended ${MAX_TOTAL_INSTRUCTION_CHARACTERS}`;
  const fix = "this file is the largest: move what only some tasks need into files that are read on demand";
  return [warn("total-budget", inFile(heaviest.path), what, fix)];
}

/** A folder's own instructions are loaded when work goes there; an import from above loads them always. */
function checkImport({ path, importedBy, text }: LoadedInstruction): readonly Finding[] {
  if (!importedBy || !/(?:^|\/)CLAUDE\.md$/.test(path)) return [];
  const folder = path.slice(0, path.lastIndexOf("/"));
  const above = importedBy.path.slice(0, importedBy.path.lastIndexOf("/"));
  if (folder === above || !folder.startsWith(`${above}/`)) return [];
  const what = `the file imports ${path} (${text.length} characters), which is loaded anyway when the agent works in that folder`;
  const fix = "remove the import";
  return [warn("unconditional-loading", inFile(importedBy.path, importedBy.line), what, fix)];
}

function checkMemory(index: InstructionFile | undefined): readonly Finding[] {
  const lines = index ? index.text.trimEnd().split("\n").length : 0;
  if (!index || lines <= MAX_INDEX_LINES) return [];
  const what = `the index has ${lines} lines, but the agent loads only ${MAX_INDEX_LINES}`;
  const fix = "keep one line per topic, and move details into the topic's file";
  return [{ ...warn("memory-index", inFile(index.path, MAX_INDEX_LINES + 1), what, fix), severity: "error" }];
}

/**
 * Rules that cannot all be followed in one window. `always` is what every request carries. A `nested` file is loaded when work goes to
 * its folder, together with those of the folders above it, never with those of another part of the tree.
 */
export function checkConflicts(
  always: readonly InstructionFile[],
  nested: readonly InstructionFile[],
): readonly Finding[] {
  const folders = new Map(nested.map(({ path }) => [path, folderOf(path)]));
  const areTogether = (left: InstructionPlace, right: InstructionPlace): boolean => {
    const [one, other] = [folders.get(left.path), folders.get(right.path)];
    return one === undefined || other === undefined || one.startsWith(other) || other.startsWith(one);
  };
  return findRuleConflicts([...always, ...nested], { areTogether }).map(({ subject, rules }) => {
    const said = rules.map(({ path, sentence }) => `${path} says "${sentence}"`).join(", ");
    const what = `the rules on "${subject}" differ: ${said}`;
    return warn("conflicting-rules", inFile(rules[0]?.path ?? ""), what, "state the rule in one place only");
  });
}

/** With its trailing slash, so that `api` is not above `api-tests`. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
