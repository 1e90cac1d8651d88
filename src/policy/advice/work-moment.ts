import type { SessionEvent } from "../../core/event.ts";
import { type Block, type Message, renderResultText, type ToolResultBlock } from "../../core/message.ts";
import type { CallMeaning, CallVocabulary } from "../../layers/history/vocabulary.ts";
import { abandonsApproach } from "../../session/failed-approaches.ts";
import { classifyCommand } from "../../session/phase.ts";
import { readTestOutcome } from "../../session/test-command.ts";

/** The state of the work, as far as it decides whether now is a good moment to compact. Exchanges count from 1; 0 or absent means never. */
export interface WorkMoment {
  readonly exchange: number;
  /** The last change of a file without a green test run or a commit after it. */
  readonly editedAt?: number;
  readonly failedAt?: number;
  /** A linter or type checker reported findings, and they point at lines that are still in the window. */
  readonly qualityAt?: number;
  readonly committedAt?: number;
  /** Tests passed after a change. */
  readonly verifiedAt?: number;
  /** Tests that had failed before passed. */
  readonly fixedAt?: number;
  readonly finishedAt?: number;
  /** Research ended with a list of work or a plan. */
  readonly researchedAt?: number;
  /** A plan was made; `isPlanKept` if it is in a file. */
  readonly plannedAt?: number;
  readonly isPlanKept: boolean;
  /** The model gave up an approach that had failed. */
  readonly pivotedAt?: number;
  /** Looks in a row since any other action. */
  readonly looks: number;
  /** Finished items of the list of work as last written; absent before it was seen. */
  readonly todosDone?: number;
  /** The last answer left nothing open, and the user has written again. */
  readonly isTurnStart: boolean;
}

export const NOTHING_AT_HAND: WorkMoment = { exchange: 0, isPlanKept: false, looks: 0, isTurnStart: false };

interface MomentTracker {
  answer(blocks: readonly Block[]): void;
  arrive(block: Block): void;
  feed(event: SessionEvent): void;
  moment(): WorkMoment;
}

/** A call still unanswered after so many others never gets an answer. */
const MAX_OPEN_CALLS = 100;

/** Follows a conversation event by event, for a caller that does not hold its messages. */
export function createMomentTracker(vocabulary: CallVocabulary): MomentTracker {
  const calls = new Map<string, CallMeaning>();
  let now = NOTHING_AT_HAND;
  /** Something arrived since the last answer, so the next one begins an exchange. */
  let isHeard = true;
  /** The last answer made no call. */
  let isTurnOver = true;

  const answer = (blocks: readonly Block[]): void => {
    if (blocks.length === 0) return;
    if (isHeard) {
      now = { ...now, exchange: now.exchange + 1 };
      isTurnOver = true;
    }
    isHeard = false;
    now = { ...now, isTurnStart: false };
    for (const block of blocks) {
      if (block.kind === "text" && now.failedAt && abandonsApproach(block.text))
        now = { ...now, pivotedAt: now.exchange };
      if (block.kind !== "toolCall") continue;
      isTurnOver = false;
      calls.set(block.callId, vocabulary.interpretCall(block.tool, block.input));
      const [oldest] = calls.keys();
      if (calls.size > MAX_OPEN_CALLS && oldest !== undefined) calls.delete(oldest);
    }
  };
  const arrive = (block: Block): void => {
    isHeard = true;
    if (block.kind === "text" && block.author === "person" && isTurnOver) now = { ...now, isTurnStart: true };
    if (block.kind !== "toolResult") return;
    const meaning = calls.get(block.callId);
    calls.delete(block.callId);
    now = followResult(now, meaning ?? UNKNOWN, block);
  };

  return {
    answer,
    arrive,
    feed(event) {
      if (event.kind === "output") answer(event.blocks);
      if (event.kind === "arrival" && event.source !== "summary") arrive(event.block);
    },
    moment: () => now,
  };
}

const UNKNOWN: CallMeaning = { kind: "other" };
/** The last exchanges decide. A few more are read, so that tests which passed can be matched with the change they verified. */
const LOOK_BACK_ANSWERS = 12;

/** The same for a conversation whose messages are at hand. Its end decides. */
export function readMoment(messages: readonly Message[], vocabulary: CallVocabulary): WorkMoment {
  const tracker = createMomentTracker(vocabulary);
  for (const { role, blocks } of messages.slice(findStart(messages))) {
    if (role === "assistant") tracker.answer(blocks);
    else for (const block of blocks) tracker.arrive(block);
  }
  return tracker.moment();
}

function findStart(messages: readonly Message[]): number {
  let answers = 0;
  for (let index = messages.length - 1; index > 0; index--)
    if (messages[index]?.role === "assistant" && ++answers === LOOK_BACK_ANSWERS) return index;
  return 0;
}

/** So many looks in a row are a phase of research. A single one belongs to the work around it. */
const ENOUGH_LOOKS = 3;
const LOOKS: readonly string[] = ["read", "search", "fetch", "delegate"];
const PLANS: readonly string[] = ["createTask", "replaceTodos", "proposePlan"];
/** Where plans are kept: by Plimsoll, by Rune, and by the client itself. */
const PLAN_FILE = /(?:^|\/)\.(?:plimsoll|rune)\/plan-[^/]*\.md$|\/plans\/[^/]+\.md$/;

function followResult(given: WorkMoment, meaning: CallMeaning, result: ToolResultBlock): WorkMoment {
  const { exchange } = given;
  const { kind, command = "", path = "" } = meaning;
  const purpose = kind === "run" ? classifyCommand(command) : undefined;
  const isTestRed = purpose === "verify" && readTestOutcome(renderResultText(result), undefined).verdict === "failed";
  if (result.isError || isTestRed)
    return { ...given, failedAt: exchange, ...(purpose === "quality" ? { qualityAt: exchange } : {}) };
  const now = followPlanning(given, meaning);
  if (kind === "edit" || kind === "write")
    // A plan is a document: no test covers it, and it can be read again.
    return PLAN_FILE.test(path) ? { ...now, plannedAt: exchange, isPlanKept: true } : { ...now, editedAt: exchange };
  const settled = { ...now, editedAt: 0, failedAt: 0, qualityAt: 0 };
  const fixed = now.failedAt ? { fixedAt: exchange } : {};
  switch (purpose) {
    case "commit":
      return { ...settled, committedAt: exchange };
    case "verify":
      return now.editedAt ? { ...settled, verifiedAt: exchange, ...fixed } : { ...now, failedAt: 0, ...fixed };
    case "quality":
      return { ...now, qualityAt: exchange };
    default:
      return followTask(now, meaning);
  }
}

function followPlanning(now: WorkMoment, { kind }: CallMeaning): WorkMoment {
  if (LOOKS.includes(kind)) return { ...now, looks: now.looks + 1 };
  if (!PLANS.includes(kind)) return now.looks === 0 ? now : { ...now, looks: 0 };
  const { exchange, looks } = now;
  return {
    ...now,
    looks: 0,
    ...(looks >= ENOUGH_LOOKS ? { researchedAt: exchange } : {}),
    ...(kind === "proposePlan" ? { plannedAt: exchange, isPlanKept: false } : {}),
  };
}

function followTask(now: WorkMoment, { kind, status, todos }: CallMeaning): WorkMoment {
  if (kind === "updateTask" && status === "done") return { ...now, finishedAt: now.exchange };
  if (kind !== "replaceTodos" || todos === undefined) return now;
  const todosDone = todos.filter((todo) => todo.status === "done").length;
  const isOneMore = now.todosDone !== undefined && todosDone > now.todosDone;
  return { ...now, todosDone, ...(isOneMore ? { finishedAt: now.exchange } : {}) };
}
