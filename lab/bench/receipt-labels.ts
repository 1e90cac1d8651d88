/** Facts of recorded compactions next to the labels that a reader gave them. The labels hold no text of the sessions. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { requireRecorded } from "../../src/entry/cli/require-session.ts";
import { listCompactions } from "../../src/recorded/list-compactions.ts";
import type { Fact, FactKind } from "../../src/survive/receipt/fact.ts";
import { indexText, STRICTNESS, type Strictness, type TextIndex } from "../../src/survive/receipt/index-text.ts";
import { judgeFact } from "../../src/survive/receipt/judge-fact.ts";
import { listFacts } from "../../src/survive/receipt/list-facts.ts";
import { CORPUS, listCorpus } from "./corpus.ts";

type Verdict = "held" | "paraphrased" | "lost";

export interface Label {
  /** Beginning of the SHA-256 of the transcript's path below the corpus. */
  readonly file: string;
  readonly boundary: number;
  readonly kind: FactKind;
  /** Beginning of the SHA-256 of what the fact is recognised by. */
  readonly fact: string;
  readonly label: Verdict;
  /**
   * 1: the rules were made on it. The others were labelled without seeing what the rules say, then learnt from: 2 other
   * sessions, 3 the hard kinds, 4 to 6 random facts by kind, of what counted as a fact at the time.
   */
  readonly part: 1 | 2 | 3 | 4 | 5 | 6;
}

/** A label next to its fact and the summary that it was read in. */
export interface Labelled {
  readonly label: Label;
  readonly fact: Fact;
  readonly summary: string;
  readonly project: string;
  readonly session: string;
}

export interface FoundLabels {
  readonly labelled: readonly Labelled[];
  /** How many facts of each kind there are, labelled or not. */
  readonly kinds: ReadonlyMap<FactKind, number>;
}

/** A label next to what the rules say of its fact. */
export interface Judged extends Label {
  readonly project: string;
  readonly session: string;
  readonly verdict: Verdict;
}

export interface Score {
  readonly labels: number;
  readonly lost: number;
  readonly precision: number;
  readonly recall: number;
}

const HASH_CHARACTERS = 12;
const FILE_CHARACTERS = 8;
/** Requests are cut here and there: their beginnings stay. */
const BEGINNING_CHARACTERS = 60;

export function readLabels(): readonly Label[] {
  const file = path.resolve(import.meta.dirname, "../../test/corpus/receipt-labels.json");
  const { labels }: { readonly labels: readonly Label[] } = JSON.parse(readFileSync(file, "utf8"));
  return labels;
}

/** Every label whose fact the sessions still give; others are stale, because it counts as a fact no longer, or reads otherwise. */
export function findLabelled(labels: readonly Label[]): FoundLabels {
  const wanted = new Map(labels.map((label) => [keyOf(label), label]));
  const files = new Set(labels.map(({ file }) => file));
  const kinds = new Map<FactKind, number>();
  const labelled = new Map<string, Labelled>();
  for (const file of listCorpus().filter((name) => files.has(nameFile(name))))
    for (const { index, happened, root, summary } of listCompactions(requireRecorded(file)))
      for (const fact of listFacts(happened, { root })) {
        const key = keyOf({ file: nameFile(file), boundary: index, kind: fact.kind, fact: hashFact(fact) });
        const label = wanted.get(key);
        kinds.set(fact.kind, (kinds.get(fact.kind) ?? 0) + 1);
        if (label && !labelled.has(key)) labelled.set(key, { label, fact, summary, ...nameOrigin(file) });
      }
  return { labelled: [...labelled.values()], kinds };
}

/** The hard kinds are labelled more often than they occur: so much of its kind does each label stand for. */
export function weighByKind(judged: readonly Judged[], kinds: FoundLabels["kinds"]): (label: Judged) => number {
  const labels = new Map<FactKind, number>();
  for (const { kind } of judged) labels.set(kind, (labels.get(kind) ?? 0) + 1);
  return ({ kind }) => (kinds.get(kind) ?? 0) / (labels.get(kind) ?? 1);
}

/** What the rules say of them, a summary prepared once. */
export function judgeLabelled(labelled: readonly Labelled[], strictness: Strictness = STRICTNESS): readonly Judged[] {
  const indexes = new Map<string, TextIndex>();
  return labelled.map(({ label, fact, summary, project, session }) => {
    const index = indexes.get(summary) ?? indexText(summary, strictness);
    indexes.set(summary, index);
    return { ...label, project, session, verdict: judgeFact(index, fact).verdict };
  });
}

/** How well "lost" is told: of those told lost, how many are; of those that are, how many are told. */
export function scoreLost(judged: readonly Judged[], weigh: (label: Judged) => number = () => 1): Score {
  const sum = (labels: readonly Judged[]) => labels.reduce((total, label) => total + weigh(label), 0);
  const lost = judged.filter(({ label }) => label === "lost");
  const reported = judged.filter(({ verdict }) => verdict === "lost");
  const right = sum(reported.filter(({ label }) => label === "lost"));
  return {
    labels: judged.length,
    lost: lost.length,
    precision: reported.length === 0 ? 1 : right / sum(reported),
    recall: lost.length === 0 ? 1 : right / sum(lost),
  };
}

function keyOf({ file, boundary, kind, fact }: Pick<Label, "file" | "boundary" | "kind" | "fact">): string {
  return [file, boundary, kind, fact].join(" ");
}

function nameFile(file: string): string {
  return sha256(path.relative(CORPUS, file).split(path.sep).join("/")).slice(0, FILE_CHARACTERS);
}

/** The folder of the corpus that holds the sessions of one repository; a session may be recorded twice. */
function nameOrigin(file: string): Pick<Labelled, "project" | "session"> {
  return { project: path.relative(CORPUS, path.dirname(file)), session: path.basename(file).replace(/\..*$/, "") };
}

/** By what the fact is recognised by, so that other words around it leave the labels as they are. */
function hashFact(fact: Fact): string {
  return sha256(coreOf(fact)).slice(0, HASH_CHARACTERS);
}

function coreOf(fact: Fact): string {
  switch (fact.kind) {
    case "continuation":
      return [begin(fact.subject), begin(fact.command), fact.path].join("|");
    case "task":
      return `${fact.status === "done" ? "done" : "open"}|${begin(fact.subject)}`;
    case "request":
    case "constraint":
    case "decision":
      return fact.sentence;
    case "file":
      return fact.path;
    case "identifier":
      return fact.term;
    case "error":
      return fact.line;
  }
}

function begin(text: string): string {
  return text.slice(0, BEGINNING_CHARACTERS);
}
