import { toOneLine } from "../../core/clip-text.ts";
import { numberField, parseObject, textField, textListField } from "../../core/json.ts";
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

interface DatedLearning extends Learning {
  readonly atMs: number | undefined;
}

const COMPACT_FROM = 100;

/** The latest learnings per key and type, in the order of the file. Malformed lines are no learnings; they stay in the file. */
export function parseLearnings(text: string): {
  readonly learnings: readonly DatedLearning[];
  readonly entries: number;
  readonly malformed: number;
} {
  const rows = parseRows(text);
  const entries = rows.flatMap(({ learning }) => learning ?? []);
  return { learnings: findLatest(entries), entries: entries.length, malformed: rows.length - entries.length };
}

interface Row {
  readonly line: string;
  readonly learning: DatedLearning | undefined;
}

function parseRows(text: string): readonly Row[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => ({ line, learning: parseLine(line) }));
}

/** Appends. Above 100 entries the file is rewritten with the latest of each key and type, and with every malformed line. */
export function appendLearnings(text: string, added: readonly Learning[], atMs: number): Merged {
  const known = new Set(parseLearnings(text).learnings.map(identify));
  const lines = added
    .filter((learning) => !known.has(identify(learning)))
    .map((learning) => `${renderLine(learning, atMs)}\n`)
    .join("");
  const appended = lines === "" ? text : `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${lines}`;
  const rows = parseRows(appended);
  const entries = rows.flatMap(({ learning }) => learning ?? []);
  if (entries.length <= COMPACT_FROM) return { text: appended, evicted: [] };
  const latest = new Set(findLatest(entries));
  const isKept = ({ learning }: Row): boolean => learning === undefined || latest.has(learning);
  const kept = rows.filter(isKept).map(({ line }) => `${line}\n`);
  return { text: kept.join(""), evicted: rows.filter((row) => !isKept(row)).map(({ line }) => line) };
}

/** A learning that repeats the latest one of its key word for word adds nothing. */
function identify({ key, type, insight }: Learning): string {
  return JSON.stringify([key, type, insight].map(toOneLine));
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
  const value = parseObject(line);
  const { key, type, insight } = value;
  if (typeof key !== "string" || typeof type !== "string" || typeof insight !== "string") return undefined;
  const confidence = numberField(value, "confidence") ?? 0;
  return {
    key,
    type,
    insight,
    confidence,
    files: textListField(value, "files"),
    atMs: parseStamp(textField(value, "ts")),
  };
}
