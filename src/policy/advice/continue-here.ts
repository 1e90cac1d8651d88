import { toOneLine } from "../../core/clip-text.ts";
import { parseStamp, renderStamp } from "../../survive/project-state/stamp.ts";

/** The pause file. It is deleted once the work is resumed, and never committed. */
export const CONTINUE_HERE_PATH = ".plimsoll/.continue-here.md";

export interface LoopProgress {
  /** Absent in files of older versions. */
  readonly writtenMs?: number | undefined;
  readonly phase: string;
  /** Number of the current task, from 1. */
  readonly task: number;
  readonly tasks: number;
  readonly completed: readonly string[];
  readonly remaining: readonly string[];
  readonly decisions: readonly string[];
  readonly blockers: readonly string[];
  readonly wipFiles: readonly string[];
}

const LISTS = [
  ["Completed", "completed"],
  ["Remaining", "remaining"],
  ["Decisions", "decisions"],
  ["Blockers", "blockers"],
  ["WIP Files", "wipFiles"],
] as const;

export function renderContinueHere(progress: LoopProgress): string {
  return [
    "# Continue here",
    "",
    ...(progress.writtenMs === undefined ? [] : [`Written: ${renderStamp(progress.writtenMs)}`]),
    `Phase: ${toOneLine(progress.phase)}`,
    `Task: ${progress.task} of ${progress.tasks}`,
    ...LISTS.flatMap(([title, field]) => ["", `${title}:`, ...renderItems(progress[field])]),
    "",
  ].join("\n");
}

/** Parses a pause file; `undefined` if the text is not one. Missing lists become empty. */
export function parseContinueHere(text: string): LoopProgress | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const phase = lines.find((line) => line.startsWith("Phase:"));
  const place = /^Task: (\d{1,9}) of (\d{1,9})$/.exec(lines.find((line) => line.startsWith("Task:")) ?? "");
  if (phase === undefined || place === null) return undefined;
  const items = parseLists(lines);
  const written = lines.find((line) => line.startsWith("Written: "))?.slice("Written: ".length) ?? "";
  return {
    writtenMs: parseStamp(written),
    phase: phase.slice("Phase:".length).trim(),
    task: Number(place[1]),
    tasks: Number(place[2]),
    completed: items("Completed"),
    remaining: items("Remaining"),
    decisions: items("Decisions"),
    blockers: items("Blockers"),
    wipFiles: items("WIP Files"),
  };
}

function renderItems(items: readonly string[]): readonly string[] {
  const lines = items.map((item) => toOneLine(item)).filter((item) => item !== "");
  return lines.map((line) => `- ${line}`);
}

function parseLists(lines: readonly string[]): (title: string) => readonly string[] {
  const lists = new Map<string, string[]>();
  let list: string[] | undefined;
  for (const line of lines) {
    const title = LISTS.find(([name]) => line === `${name}:`)?.[0];
    if (title !== undefined) {
      list = [];
      lists.set(title, list);
    } else if (line.startsWith("- ")) list?.push(line.slice(2).trim());
  }
  return (title) => lists.get(title) ?? [];
}
