import { toOneLine } from "../../core/clip-text.ts";
import { parseJson } from "../../core/json.ts";
import type { Merged } from "./entry-log.ts";
import { parseStamp, renderIso } from "./stamp.ts";

export interface Learning {
  /** A later learning with the same key replaces it on reading, not in the file. */
  readonly key: string;
  /** `decision`, `error`, `insight`, `convention`, or the caller's own word. */
  readonly type: string;
  readonly insight: string;
  readonly confidence: number;
  readonly files: readonly string[];
}

export interface DatedLearning extends Learning {
  readonly atMs: number | undefined;
}

export interface LearningsFile {
  /** The latest per key and type, in the order of the file. */
  readonly learnings: readonly DatedLearning[];
  readonly entries: number;
  /** Lines that are not learnings; they stay in the file. */
  readonly malformed: number;
}

const COMPACT_FROM = 100;

export function parseLearnings(text: string): LearningsFile {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const parsed = lines.map(parseLine);
  const entries = parsed.filter((learning) => learning !== undefined);
  return { learnings: findLatest(entries), entries: entries.length, malformed: lines.length - entries.length };
}

/** Appends. Above 100 entries the file is rewritten with the latest of each key and type, and with every malformed line. */
export function appendLearnings(text: string, added: readonly Learning[], atMs: number): Merged {
  const known = new Set(parseLearnings(text).learnings.map(identify));
  const lines = added
    .filter((learning) => !known.has(identify(learning)))
    .map((learning) => `${renderLine(learning, atMs)}\n`)
    .join("");
  const appended = lines === "" ? text : `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${lines}`;
  if (parseLearnings(appended).entries <= COMPACT_FROM) return { text: appended, evicted: [] };
  return compact(appended);
}

/** A learning that repeats the latest one of its key word for word adds nothing. */
function identify({ key, type, insight }: Learning): string {
  return JSON.stringify([key, type, insight].map(toOneLine));
}

function compact(text: string): Merged {
  const rows = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ line, learning: parseLine(line) }));
  const latest = new Set(findLatest(rows.flatMap(({ learning }) => learning ?? [])));
  const isKept = ({ learning }: (typeof rows)[number]): boolean => learning === undefined || latest.has(learning);
  return {
    text: rows
      .filter(isKept)
      .map(({ line }) => `${line}\n`)
      .join(""),
    evicted: rows.filter((row) => !isKept(row)).map(({ line }) => line),
  };
}

/** The later in time wins; at equal or missing times, the later in the file. */
function findLatest(learnings: readonly DatedLearning[]): readonly DatedLearning[] {
  const latest = new Map<string, DatedLearning>();
  for (const learning of learnings) {
    const key = JSON.stringify([learning.key, learning.type]);
    const known = latest.get(key);
    if (known && (known.atMs ?? 0) > (learning.atMs ?? 0)) continue;
    latest.delete(key);
    latest.set(key, learning);
  }
  return [...latest.values()];
}

function renderLine({ key, type, insight, confidence, files }: Learning, atMs: number): string {
  return JSON.stringify({
    ts: renderIso(atMs),
    type: toOneLine(type),
    key: toOneLine(key),
    insight: toOneLine(insight),
    confidence,
    files,
  });
}

function parseLine(line: string): DatedLearning | undefined {
  const value = parseJson(line);
  if (typeof value !== "object" || value === null || !("key" in value && "type" in value && "insight" in value))
    return undefined;
  const { key, type, insight } = value;
  if (typeof key !== "string" || typeof type !== "string" || typeof insight !== "string") return undefined;
  const confidence = "confidence" in value && typeof value.confidence === "number" ? value.confidence : 0;
  const files = "files" in value && Array.isArray(value.files) ? value.files : [];
  const atMs = "ts" in value && typeof value.ts === "string" ? parseStamp(value.ts) : undefined;
  return { key, type, insight, confidence, files: files.filter((file) => typeof file === "string"), atMs };
}
