import { clipText } from "../core/clip-text.ts";
import { findReason, hasSignal, isDecision } from "./decision-signals.ts";
import { type Attempted, createApproachTracker, type FailedApproach } from "./failed-approaches.ts";
import type { Happening, Tracker } from "./happening.ts";
import { findPaths, splitSentences } from "./sentences.ts";

export type { FailedApproach } from "./failed-approaches.ts";

/** Why things are as they are. */
export interface Decision {
  readonly text: string;
  /** What follows "because", "since", "so that"; empty where no reason was given. */
  readonly reason: string;
  readonly files: readonly string[];
  readonly request: number;
  /** Who decided: the model in its text, or the person by an answer or by approving a plan. */
  readonly by: "model" | "person";
}

export interface DecisionState {
  readonly decisions: readonly Decision[];
  readonly failedApproaches: readonly FailedApproach[];
  /** Attempts that failed last and have not succeeded since. */
  readonly attempts?: readonly Attempted[];
}

type Outcomes = Extract<Happening, { kind: "outcome" }>;

const MAX_DECISIONS = 500;
const MAX_PER_TEXT = 6;
const MAX_TEXT_CHARACTERS = 300;
const MAX_FILES = 5;
/** Files changed this many requests around a decision that names none are the ones it is about. */
const NEAR_REQUESTS = 1;

export function createDecisionTracker(
  saved: DecisionState = { decisions: [], failedApproaches: [] },
): Tracker<DecisionState> {
  let decisions = [...saved.decisions];
  const known = new Set(decisions.map((decision) => decision.text));
  const approaches = createApproachTracker(saved);

  const decide = (text: string, request: number, by: Decision["by"]): void => {
    const kept = text.slice(0, MAX_TEXT_CHARACTERS);
    if (kept.trim() === "" || known.has(kept)) return;
    known.add(kept);
    decisions.push({ text: kept, reason: findReason(kept), files: findPaths(kept).slice(0, MAX_FILES), request, by });
    if (decisions.length > MAX_DECISIONS) for (const gone of decisions.splice(0, 1)) known.delete(gone.text);
  };

  /** A decision that names no file is about the ones changed right then. */
  const noteEdit = (path: string, request: number): void => {
    const near = decisions.findLastIndex((decision) => decision.request < request - NEAR_REQUESTS) + 1;
    decisions = decisions.map((decision, index) =>
      index < near || decision.by === "person" || decision.files.length > 0 ? decision : { ...decision, files: [path] },
    );
  };

  const followOutcome = ({ action, outcome, request }: Outcomes): void => {
    if (outcome.isError || outcome.isRefused) return;
    if (action.kind === "ask") for (const answer of findAnswers(outcome.text)) decide(answer, request, "person");
    if (action.kind === "proposePlan") {
      const title = findTitle(action.plan || (outcome.text.split(APPROVED, 2)[1] ?? ""));
      if (title !== "") decide(`Plan approved: ${title}`, request, "person");
    }
    if (
      (action.kind === "edit" || action.kind === "write") &&
      (decisions.at(-1)?.request ?? 0) >= request - NEAR_REQUESTS
    )
      noteEdit(action.path, request);
  };

  return {
    follow(happening) {
      approaches.follow(happening);
      if (happening.kind === "outcome") followOutcome(happening);
      if (happening.kind !== "said" || !hasSignal(happening.text)) return;
      const found = splitSentences(happening.text).filter(isDecision);
      for (const sentence of found.slice(0, MAX_PER_TEXT)) decide(sentence, happening.request, "model");
    },
    state: () => ({ decisions: decisions.slice(), ...approaches.state() }),
  };
}

/** Newer hosts keep the plan in a file, and repeat it when it is approved. */
const APPROVED = /^## Approved Plan.*:$/m;
/** Answers that only move the talk on, or hand the decision back; a question back is none either. */
const PASSES_ON =
  /^(?:next(?: area| question)?|done\b.*|continue|proceed|skip|you decide|no preference|other|yes|no)\.?$/i;
const ANSWERED = /"([^"]{1,600})"="([^"]{0,600})"/g;

/** Questions put to the person, each with its answer; the text itself where it has another form. */
function findAnswers(text: string): readonly string[] {
  const pairs = [...text.slice(0, 20_000).matchAll(ANSWERED)];
  if (pairs.length === 0) return [text.replace(/\s+/g, " ")];
  return pairs.flatMap(([, question = "", answer = ""]) => {
    const room = Math.max(60, MAX_TEXT_CHARACTERS - answer.length - 4);
    return PASSES_ON.test(answer.trim()) || answer.trim().endsWith("?")
      ? []
      : [`${clipText(question, room)} → ${answer}`];
  });
}

function findTitle(plan: string): string {
  const line = plan.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  return line.replace(/^#+\s*/, "");
}
