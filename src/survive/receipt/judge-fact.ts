import { baseName, normalizePath } from "../../session/file-path.ts";
import { findTerms } from "../record/track-terms.ts";
import { type Fact, type FactOf, HELD, type Judgement, LOST, PARAPHRASED } from "./fact.ts";
import { findMatches, textAround } from "./find-match.ts";
import { findWords, flatten, hasNegation, hasTerm, isForbidding } from "./find-words.ts";
import { listRuns, markSentence, type TextIndex, type WorkMark } from "./index-text.ts";

/** Whether a text still holds a fact. Compares words, not meanings. */
export function judgeFact(index: TextIndex, fact: Fact): Judgement {
  switch (fact.kind) {
    case "continuation":
      return judgeContinuation(index, fact);
    case "task":
      return judgeTask(index, fact);
    case "request":
    case "constraint":
      return judgeConstraint(index, fact.sentence);
    case "file":
      return judgeFile(index, fact);
    case "error":
      return judgeError(index, fact);
    case "identifier":
      return hasTerm(index.text, fact.term) ? HELD : LOST;
    case "decision":
      return judgeDecision(index, fact.sentence);
  }
}

/** The label "decision" says nothing about its content. */
const LABEL = /^\W*(?:\w+ ){0,3}decisions?:\W*/i;

/** The answer alone is enough; the question may be missing. */
function judgeDecision(index: TextIndex, sentence: string): Judgement {
  const [, chosen = ""] = sentence.split(" → ", 2);
  const answer = chosen.replace(/ \(recommended\)$/i, "");
  return findWords(answer).length > 1 && isVerbatim(index, answer)
    ? HELD
    : judgeNamed(index, sentence.replace(LABEL, ""));
}

/** By its subject and by its place: both means held, one means paraphrased, none means lost. */
function judgeContinuation(index: TextIndex, { subject, command, path, symbol }: FactOf<"continuation">): Judgement {
  const about = subject === "" ? judgeCommand(index, command) : judgePhrase(index, subject);
  const hasFile = path !== "" && index.text.includes(baseName(path));
  if (about.verdict === "lost") return hasFile ? PARAPHRASED : LOST;
  return about.verdict === "held" && (path === "" || (hasFile && index.text.includes(symbol))) ? HELD : PARAPHRASED;
}

function judgeCommand(index: TextIndex, command: string): Judgement {
  const bare = command.replace(/ 2>.*| \| .*| --?[a-z][\w-]*(?:[= ]\d+)?/g, "");
  return index.flat.includes(flatten(bare)) ? HELD : judgePhrase(index, bare);
}

const WRONG_STATUS: Judgement = { verdict: "lost", mark: "wrong status" };
/** A passage whose coverage is this much below the best one is about something else. */
const SLACK = 0.15;

/** Held if its status is right at least once, or not given. A subject that itself says "done" or "pending" gives no status where it is quoted. */
function judgeTask(index: TextIndex, { subject, status }: FactOf<"task">): Judgement {
  const judged = judgePhrase(index, subject);
  if (judged.verdict === "lost") return LOST;
  if (markSentence(subject, "unsaid") !== "unsaid") return judged;
  const marks = listMarks(index, subject);
  const right: WorkMark = status === "done" ? "done" : "open";
  const isWrong = marks.length > 0 && !marks.includes(right) && !marks.includes("unsaid");
  return isWrong ? WRONG_STATUS : judged;
}

function listMarks(index: TextIndex, subject: string): readonly WorkMark[] {
  const matches = findMatches(index, subject);
  const least = (matches[0]?.coverage ?? 0) - SLACK;
  return matches.flatMap(({ at, coverage }) => {
    const mark = coverage >= least ? index.segments[at]?.mark : undefined;
    return mark === undefined ? [] : [mark];
  });
}

const PATH_CHARACTER = /[\w@~./\\:+-]/;
const NAME_CHARACTER = /[\w-]/;
/** A code name that stands for its file, such as the component in it. */
const SPEAKING_NAME = /[a-z][A-Z]|[A-Za-z\d][-_][A-Za-z\d]/;
const MIN_SPEAKING_CHARACTERS = 8;
const TICKET = /[A-Z]{2,10}-\d{2,8}/;

/** By its path, the path's end, or its base name if unique. A name without its ending, or a shared name next to its folder's, is a paraphrase. */
function judgeFile(index: TextIndex, { path, isUnique }: FactOf<"file">): Judgement {
  const name = baseName(path);
  const mentions = findMentions(index.text, name);
  if (mentions.some((mention) => mention !== name && isSamePath(path, mention))) return HELD;
  const bare = mentions.includes(name);
  if (bare && isUnique) return HELD;
  const folder = baseName(path.slice(0, Math.max(0, path.length - name.length - 1)));
  if (bare && index.segments.some(({ text }) => text.includes(name) && hasWhole(text, folder))) return PARAPHRASED;
  const stem = name.replace(/\.[^.]*$/, "");
  const isSpeaking = isUnique && stem.length >= MIN_SPEAKING_CHARACTERS && SPEAKING_NAME.test(stem);
  const ticket = isUnique ? (stem.match(TICKET)?.[0] ?? "") : "";
  return (isSpeaking && hasWhole(index.text, stem)) || (ticket !== "" && hasWhole(index.text, ticket))
    ? PARAPHRASED
    : LOST;
}

function findMentions(text: string, name: string): readonly string[] {
  const found = new Set<string>();
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (NAME_CHARACTER.test(text[end] ?? "") || NAME_CHARACTER.test(text[at - 1] ?? "")) continue;
    let start = at;
    while (start > 0 && PATH_CHARACTER.test(text[start - 1] ?? "")) start--;
    found.add(
      normalizePath(text.slice(start, end).replace(/^[.:+@~-]*\/|^[:+@-]+/, (lead) => (lead === "/" ? "/" : ""))),
    );
  }
  return [...found];
}

function isSamePath(path: string, mention: string): boolean {
  return path === mention || path.endsWith(`/${mention.replace(/^\//, "")}`) || mention.endsWith(`/${path}`);
}

function hasWhole(text: string, word: string): boolean {
  return hasTerm(text, word, NAME_CHARACTER);
}

/** A line with no more words than this says that something failed, but not why. */
const LITTLE_WORDS = 2;
const FAILS = /\b(?:fail\w*|errors?|rejected|conflicts?|broken|not found|denied|crash\w*)\b/i;
const SOLVED = /\b(?:success\w*|succeed\w*|now (?:works|passes)|resolved by)\b/i;
const FAILURE_WORDS = /\b(?:errors?|fail(?:ed|ure|ures|s)?|fatal|exit code \d+|unable to|could not|cannot)\b/gi;
const ABSENT =
  /(?:command not found|not found|[Nn]o module named|no such (?:file or directory|command))[: '"\x60]+([\w.-]+)/;

type FailedAttempt = Pick<FactOf<"error">, "attempt" | "line">;

/** By its line, by what the line says is missing, or by the outcome of its command. */
function judgeError(index: TextIndex, { attempt, line }: FailedAttempt): Judgement {
  if (isVerbatim(index, line)) return HELD;
  const reason = stripPaths(line).replace(FAILURE_WORDS, " ");
  const [, thing = ""] = line.match(ABSENT) ?? [];
  const isSaid = thing === "" ? judgePhrase(index, reason).verdict !== "lost" : lacks(index, thing);
  if (isSaid) return PARAPHRASED;
  const isBare = findWords(reason).length <= LITTLE_WORDS;
  return hasOutcome(index, { attempt, line, isBare }) ? PARAPHRASED : LOST;
}

/** Whether the text says, in words of the error, that the attempt or its last command works by now or is still to be run. That it fails is enough for a bare line. */
function hasOutcome(
  index: TextIndex,
  { attempt, line, isBare }: FailedAttempt & { readonly isBare: boolean },
): boolean {
  const words = new Set(findWords(line));
  const [command = ""] = attempt.split(/&&|\|\||;/).slice(-1);
  return [attempt, command]
    .flatMap((tried) => findMatches(index, stripPaths(tried)))
    .some(({ at }) => {
      const { text = "", mark } = index.segments[at] ?? {};
      if (isBare && FAILS.test(text)) return true;
      return (mark === "open" || SOLVED.test(text)) && findWords(text).some((word) => words.has(word));
    });
}

function lacks({ segments }: TextIndex, thing: string): boolean {
  const name = thing.toLowerCase();
  return segments.some(({ text }) => hasTerm(text.toLowerCase(), name) && hasNegation(text));
}

/** Paths say where something is, but little about what it is. */
function stripPaths(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !/[\w.-][/:][\w.-]+\//.test(word))
    .join(" ");
}

/** This share of the words, close together, counts as the same statement. */
const SAME_COVERAGE = 0.8;

const REVERSED: Judgement = { verdict: "lost", mark: "wrong polarity" };

/** A binding sentence: word for word, or most of its words including its "not". */
function judgeConstraint(index: TextIndex, sentence: string): Judgement {
  const verbatim = findVerbatim(index, sentence);
  if (verbatim !== "unsaid") return verbatim === "said" ? HELD : REVERSED;
  const matches = findMatches(index, sentence);
  const [best] = matches;
  if (!best || !hasNames(index, sentence)) return LOST;
  if (isForbidding(sentence) && !matches.some((match) => hasNegation(textAround(index, match)))) return REVERSED;
  return best.coverage >= SAME_COVERAGE ? HELD : PARAPHRASED;
}

/** A sentence with names that cannot be guessed is lost if none of them is left. */
function hasNames({ text }: TextIndex, sentence: string): boolean {
  const names = [...findTerms(sentence)].filter((term) => !/^\d+$/.test(term));
  return names.length === 0 || names.some((name) => hasTerm(text, name));
}

function judgePhrase(index: TextIndex, phrase: string): Judgement {
  if (isVerbatim(index, phrase)) return HELD;
  const [best] = findMatches(index, phrase);
  if (!best) return LOST;
  return best.coverage >= SAME_COVERAGE ? HELD : PARAPHRASED;
}

/** A sentence by its words, if its names are left too. */
function judgeNamed(index: TextIndex, sentence: string): Judgement {
  const judged = judgePhrase(index, sentence);
  return judged.verdict !== "held" && !hasNames(index, sentence) ? LOST : judged;
}

/** Whether a text contains a sentence word for word, without a "not" before it. */
function isVerbatim(index: TextIndex, sentence: string): boolean {
  return findVerbatim(index, sentence) === "said";
}

/** Texts quote long sentences in parts, so a run of words is enough. For a sentence that forbids it must be the beginning, which holds the "not". */
function findVerbatim({ flat, runs }: TextIndex, sentence: string): "said" | "negated" | "unsaid" {
  const whole = flatten(sentence.replace(/…$/, ""));
  const [beginning = whole.trim(), ...others] = listRuns(whole);
  if (beginning === "") return "unsaid";
  const forbids = isForbidding(sentence);
  const sought = ` ${beginning} `;
  let found: "negated" | "unsaid" = "unsaid";
  for (let at = flat.indexOf(sought); at >= 0; at = flat.indexOf(sought, at + 1)) {
    if (forbids || !/ (?:do not|dont|never|not to) $/.test(flat.slice(0, at + 1))) return "said";
    found = "negated";
  }
  return found === "unsaid" && !forbids && others.some((run) => runs.has(run)) ? "said" : found;
}
