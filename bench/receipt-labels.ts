/** Facts of recorded compactions beside the labels that a reader gave them. The labels hold no text of the sessions. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { readCompactions } from "../src/cli/read-compactions.ts";
import { sha256 } from "../src/core/sha256.ts";
import type { Fact, FactKind } from "../src/session/receipt/fact.ts";
import { indexText, STRICTNESS, type Strictness, type TextIndex } from "../src/session/receipt/index-text.ts";
import { judgeFact } from "../src/session/receipt/judge-fact.ts";
import { listFacts } from "../src/session/receipt/list-facts.ts";
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
   * 1: the rules were made on it. 2: labelled after that without seeing what they say, then learnt from. 3: other facts of
   * the same compactions, the hard kinds only, labelled after the second tuning without seeing what they say.
   */
  readonly part: 1 | 2 | 3;
}

/** A label beside its fact and the summary that it was read in. */
export interface Labelled {
  readonly label: Label;
  readonly fact: Fact;
  readonly summary: string;
  readonly project: string;
  readonly session: string;
}

/** A label beside what the rules say of its fact. */
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
  const file = path.resolve(import.meta.dirname, "../test/corpus/receipt-labels.json");
  const { labels }: { readonly labels: readonly Label[] } = JSON.parse(readFileSync(file, "utf8"));
  return labels;
}

/** Every label whose fact the sessions still give; others are stale, because it counts as a fact no longer, or reads otherwise. */
export function findLabelled(labels: readonly Label[]): readonly Labelled[] {
  const wanted = new Map(labels.map((label) => [keyOf(label), label]));
  const files = new Set(labels.map(({ file }) => file));
  return listCorpus()
    .filter((file) => files.has(nameFile(file)))
    .flatMap((file) =>
      [...readCompactions(file)].flatMap(({ index, happened, root, summary }) => {
        const found = new Map<string, Labelled>();
        for (const fact of listFacts(happened, { root })) {
          const key = keyOf({ file: nameFile(file), boundary: index, kind: fact.kind, fact: hashFact(fact) });
          const label = wanted.get(key);
          if (label && !found.has(key)) found.set(key, { label, fact, summary, ...nameOrigin(file) });
        }
        return [...found.values()];
      }),
    );
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
export function scoreLost(judged: readonly Judged[]): Score {
  const lost = judged.filter(({ label }) => label === "lost").length;
  const told = judged.filter(({ verdict }) => verdict === "lost");
  const right = told.filter(({ label }) => label === "lost").length;
  return {
    labels: judged.length,
    lost,
    precision: told.length === 0 ? 1 : right / told.length,
    recall: lost === 0 ? 1 : right / lost,
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
    case "constraint":
    case "decision":
      return fact.sentence;
    case "file":
      return fact.path;
    case "identifier":
      return fact.term;
    case "error":
    case "failure":
      return fact.line;
  }
}

function begin(text: string): string {
  return text.slice(0, BEGINNING_CHARACTERS);
}
