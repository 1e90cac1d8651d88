import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../../../src/core/sha256.ts";
import { parseLog } from "../../../src/survive/project-state/entry-log.ts";
import { planStateSave } from "../../../src/survive/project-state/plan-state-save.ts";
import { STATE_FILES, type StateFile } from "../../../src/survive/project-state/state-files.ts";
import { toStateSave } from "../../../src/survive/project-state/to-state-save.ts";
import { CORPUS } from "../corpus.ts";
import { readCut } from "./read-cut.ts";

const ENTRIES = 20;
/** Shorter recordings leave nothing to judge. */
const MIN_LINES = 30;
const LOOK_BACK = 60;
/** Any day will do: entries carry the day on which they were written. */
const WRITTEN_MS = Date.UTC(2026, 0, 2, 12);

interface Entry {
  readonly recording: string;
  readonly line: number;
  readonly lines: number;
  readonly text: string;
}

/**
 * Twenty entries of each state file, as a live session would have written them at a line of a recorded one, for a judge who sees the
 * recording and not the program: at most one of a session before every session has given one.
 */
export function writeEntries(folder: string, half: number): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const recordings = listRecordings(half);
  return STATE_FILES.map((file) => {
    const lists = recordings.map((recording) => listEntries(recording, file));
    const rounds = Array.from({ length: ENTRIES }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1)));
    const entries = rounds.flat().slice(0, ENTRIES);
    const name = file.replace(/\.\w+$/, "");
    const text = entries.map((entry, at) => renderEntry(`${name}-${at + 1}`, entry)).join("\n");
    writeFileSync(path.join(folder, `${file}-entries.md`), text);
    return `${file}: ${entries.length} entries of ${new Set(entries.map(({ recording }) => recording)).size} sessions`;
  });
}

/** Every second repository by name, sessions in an order that says nothing about them. */
function listRecordings(half: number): readonly string[] {
  const repositories = readdirSync(CORPUS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return repositories
    .filter((_, index) => index % 2 === half)
    .flatMap((name) => readdirSync(path.join(CORPUS, name)).map((file) => `${name}/${file}`))
    .filter((file) => file.endsWith(".jsonl") && countLines(file) >= MIN_LINES && !isOfAgent(file))
    .sort((one, other) => (sha256(one) < sha256(other) ? -1 : 1));
}

function listEntries(recording: string, file: StateFile): readonly Entry[] {
  const lines = countLines(recording);
  // The log has a line of each session at its end; the rest is written on the way, too.
  const share =
    file === "session-log.md" ? 1 : 0.3 + (Number.parseInt(sha256(recording).slice(0, 4), 16) / 0xffff) * 0.7;
  const line = Math.floor(lines * share);
  const save = toStateSave(readCut({ file: recording, cutLine: line - 1 }), { git: "", isEnd: true });
  const text = planStateSave({}, save, WRITTEN_MS).changed[file] ?? "";
  return splitEntries(text, file).map((each) => ({ recording, line, lines, text: each }));
}

function splitEntries(text: string, file: StateFile): readonly string[] {
  if (file.endsWith(".jsonl")) return text.split("\n").filter((line) => line.trim() !== "");
  if (file === "session-log.md") return text.split("\n").filter((line) => line.startsWith("["));
  if (file.endsWith("notes.md")) return text.split("\n").filter((line) => line.startsWith("- "));
  return parseLog(text).entries.map(({ raw }) => raw);
}

function renderEntry(name: string, { recording, line, lines, text }: Entry): string {
  const place = `after line ${line} of ${lines} (look at lines ${Math.max(1, line - LOOK_BACK)} to ${line}, at all of it where the entry is about all of it)`;
  return `## ${name}\nrecording: ${path.join(CORPUS, recording)}, the session as it stood ${place}\n\n${text.trim()}\n`;
}

function readLines(recording: string): readonly string[] {
  return readFileSync(path.join(CORPUS, recording), "utf8").trimEnd().split("\n");
}

function countLines(recording: string): number {
  return readLines(recording).length;
}

/** What a subagent did is told in its parent's session. */
function isOfAgent(recording: string): boolean {
  return (
    path.basename(recording).startsWith("agent-") ||
    readLines(recording).every((line) => !line.includes('"isSidechain":false'))
  );
}
