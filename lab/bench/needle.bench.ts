/**
 * What a recall reads back for one question: the quizzes' questions, each asked of everything that had left the window, by names out
 * of the question itself. Answered if at least half of the names in the key that are stored at all are in what was read.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject, listField, parseObject, textField } from "../../src/core/json.ts";
import { estimateTextTokens } from "../../src/models/tokens.ts";
import { POLICIES } from "../../src/replay/catalogue.ts";
import { createHashPort, type RecallPort, recall } from "../../src/survive/recall/recall.ts";
import { makeMemory } from "../reading/make-memory.ts";
import { renderRecallAnswer } from "../reading/recall-original.ts";
import { readPast } from "../reading/recorded-past.ts";
import { listCorpus } from "./corpus.ts";

const QUIZZES = path.join(import.meta.dirname, "reading");
const TERMS = 4;
const MOST_PAGES = 8;
/** How a model may put its terms. */
const FORMS: Readonly<Record<string, (terms: readonly string[]) => string>> = {
  "a b c": (terms) => terms.join(" "),
  "a|b|c": (terms) => terms.map(escapeTerm).join("|"),
  "a.*b": (terms) => terms.slice(0, 2).map(escapeTerm).join(".*"),
  a: ([first = ""]) => escapeTerm(first),
};

interface Question {
  readonly terms: readonly string[];
  readonly names: readonly string[];
}

interface Tally {
  asked: number;
  answered: number;
  tokens: number;
  calls: number;
}

export async function run(): Promise<void> {
  const totals = new Map(Object.keys(FORMS).map((form) => [form, { asked: 0, answered: 0, tokens: 0, calls: 0 }]));
  let sessions = 0;
  for (const quiz of readdirSync(QUIZZES).filter((name) => name.endsWith(".json"))) {
    const originals = readOriginals(quiz.replace(/\.json$/, ""));
    if (originals.size === 0) continue;
    sessions++;
    const port = createHashPort({ hashes: () => [...originals.keys()], read: (hash) => originals.get(hash) });
    const stored = [...originals.values()].join("\n");
    for (const question of readQuestions(path.join(QUIZZES, quiz), stored))
      for (const [form, write] of Object.entries(FORMS)) {
        const tally = totals.get(form);
        if (tally)
          await ask(question, { handles: [...originals.keys()], pattern: write(question.terms) }, { port, tally });
      }
  }
  console.log(`${sessions} sessions, pages of a question until it is answered, at most ${MOST_PAGES}`);
  for (const [form, { asked, answered, tokens, calls }] of totals)
    console.log(
      `${form}: ${answered} of ${asked} answered, ${calls} calls, ${Math.round(tokens / asked)} tokens a question, ${Math.round(tokens / Math.max(1, answered))} an answered one`,
    );
}

async function ask(
  { names }: Question,
  { handles, pattern }: { readonly handles: readonly string[]; readonly pattern: string },
  { port, tally }: { readonly port: RecallPort; readonly tally: Tally },
): Promise<void> {
  tally.asked++;
  let read = "";
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await recall({ handle: handles.map((hash) => `plimsoll:${hash}`).join(" "), pattern, page }, port);
    const reported = renderRecallAnswer(answer);
    tally.tokens += estimateTextTokens(reported, "classic");
    tally.calls++;
    read += reported;
    if (names.filter((name) => read.includes(name)).length * 2 >= names.length) {
      tally.answered++;
      return;
    }
    if (answer.isError || !reported.includes(`page ${page + 1} continues`)) return;
  }
}

/** What the module stores of a session up to its cut, by digits. */
function readOriginals(name: string): ReadonlyMap<string, string> {
  const at = name.lastIndexOf("-");
  const file = listCorpus().find(
    (each) =>
      path.basename(each).startsWith(name.slice(at + 1)) && path.basename(path.dirname(each)) === name.slice(0, at),
  );
  const past = file === undefined ? undefined : readPast(file, name);
  const policy = POLICIES.find((known) => known.name === "plimsoll");
  if (past === undefined || "why" in past || policy === undefined) return new Map();
  const memory = makeMemory(past, { policy, isWithoutRecord: false });
  if ("why" in memory) return new Map();
  return new Map(memory.originals.map(({ handle, text }) => [handle.replace(/^plimsoll:/, ""), text]));
}

/** Questions that can be judged without a reader: names in them to ask by, and other names in the key that are stored. */
function readQuestions(file: string, stored: string): readonly Question[] {
  return listField(parseObject(readFileSync(file, "utf8")), "questions")
    .filter(isObject)
    .flatMap((question: JsonObject) => {
      const asked = textField(question, "question");
      const key = listField(question, "key").filter((part) => typeof part === "string");
      const names = [...new Set(key.flatMap(listNames))].filter(
        (name) => !asked.includes(name) && stored.includes(name),
      );
      const terms = listTerms(asked);
      return names.length === 0 || terms.length < 2 ? [] : [{ terms, names }];
    });
}

/** Words that are spelled like names of code, files or numbers. */
function listNames(text: string): readonly string[] {
  return (text.match(/[\w./@:-]{3,}/g) ?? [])
    .map((word) => word.replace(/^[.:/-]+|[.:-]+$/g, ""))
    .filter((word) => word.length > 2 && /[a-z][A-Z]|[_/\d]|\w\.\w/.test(word));
}

/** Names first, then the longest words: what somebody would search by who knows neither the texts nor the answer. */
function listTerms(question: string): readonly string[] {
  const words = (question.match(/[a-zA-Z]{5,}/g) ?? []).sort((one, other) => other.length - one.length);
  return [...new Set([...listNames(question), ...words])].slice(0, TERMS);
}

function escapeTerm(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
