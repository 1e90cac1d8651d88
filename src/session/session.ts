import { clipText } from "../core/clip-text.ts";
import type { Arrival, Output, SessionEvent } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import type { TextBlock, ToolResultBlock } from "../core/message.ts";
import type { Action, Vocabulary } from "./action.ts";
import { readClosing, readRemainder } from "./closing.ts";
import { type Episode, movesOn } from "./episodes/episode-ending.ts";
import { carriesOn } from "./episodes/episode-rules.ts";
import { createEpisodeTracker } from "./episodes/track-episodes.ts";
import type { Happening, Tracker } from "./happening.ts";
import { createPhaseTracker, type PhaseState } from "./phase.ts";
import { takeEnd } from "./sentences.ts";
import { type Announced, createAnnouncedTracker } from "./track-announced.ts";
import { type CommandRecord, createCommandTracker } from "./track-commands.ts";
import { createDecisionTracker, type DecisionState } from "./track-decisions.ts";
import { createErrorTracker, type ErrorRecord } from "./track-errors.ts";
import { createFileTracker, type FileRecord } from "./track-files.ts";
import { createRequestTracker, type RequestState } from "./track-requests.ts";
import { createWordsTracker, type UserWords } from "./track-words.ts";
import { createWorkTracker, type WorkItem } from "./track-work.ts";

/** Everything that matters about a session. Plain data: another process can continue from it. */
export interface SessionState {
  readonly requests: RequestState;
  readonly work: readonly WorkItem[];
  readonly episodes: readonly Episode[];
  readonly files: readonly FileRecord[];
  readonly commands: readonly CommandRecord[];
  readonly errors: readonly ErrorRecord[];
  readonly decided: DecisionState;
  readonly words: readonly UserWords[];
  readonly phase: PhaseState;
  /** The model's announced next step, until it is seen to do it. */
  readonly announced?: Announced | undefined;
  /** The current turn; absent in states saved before it was tracked. */
  readonly turn?: Turn | undefined;
  readonly away?: readonly Away[] | undefined;
  readonly compactions: number;
  readonly openCalls: readonly { readonly callId: string; readonly action: Action }[];
  /** The calls answered last: some hosts write lines again, and a repeated line counts once. */
  readonly answered: readonly string[];
  readonly currentStep: string;
}

export interface Session {
  feed(event: SessionEvent): void;
  state(): SessionState;
  /** Cheap, for deciding whether to ask for the state. */
  requests(): number;
}

/** A call without an answer after this many others never gets one. */
const MAX_OPEN_CALLS = 500;
const MAX_ANSWERED = 200;

/** Follows one conversation event by event, in time proportional to what is new. */
export function createSession(vocabulary: Vocabulary, saved?: SessionState): Session {
  const requests = createRequestTracker(saved?.requests);
  const work = createWorkTracker(saved?.work);
  const episodes = createEpisodeTracker(saved?.episodes);
  const files = createFileTracker(saved?.files);
  const commands = createCommandTracker(saved?.commands);
  const errors = createErrorTracker(saved?.errors);
  const decided = createDecisionTracker(saved?.decided);
  const words = createWordsTracker(saved?.words);
  const phase = createPhaseTracker(saved?.phase);
  const announced = createAnnouncedTracker(saved?.announced);
  const turn = createTurnTracker(saved?.turn);
  const away = createAwayTracker(saved?.away);
  const trackers = [requests, work, episodes, files, commands, errors, decided, words, phase, announced, turn, away];
  const openCalls = new Map<string, Action>(saved?.openCalls.map(({ callId, action }) => [callId, action]));
  const answered = new Set<string>(saved?.answered);
  let request = saved?.requests.count ?? 0;
  let currentStep = saved?.currentStep ?? "";
  let compactions = saved?.compactions ?? 0;

  const passOn = (happening: Happening): void => {
    for (const tracker of trackers) tracker.follow(happening);
  };

  const followOutput = (event: Output): void => {
    if (event.stepId !== currentStep) {
      currentStep = event.stepId;
      request++;
      passOn({ kind: "request", request, atMs: event.atMs });
    }
    for (const block of event.blocks) {
      if (block.kind === "text" && block.text.trim() !== "")
        passOn({ kind: "said", request, text: block.text, isTurnEnd: event.isTurnEnd });
      if (block.kind !== "toolCall" || answered.has(block.callId)) continue;
      const action = vocabulary.interpretCall(block.tool, block.input);
      openCalls.set(block.callId, action);
      forgetBeyond(openCalls, MAX_OPEN_CALLS);
      passOn({ kind: "act", request, callId: block.callId, action });
    }
  };

  const followResult = (block: ToolResultBlock, detail: JsonObject | undefined): void => {
    const { callId } = block;
    if (answered.has(callId)) return;
    const action = openCalls.get(callId) ?? vocabulary.interpretOrphan?.(block, detail);
    if (!action) return;
    openCalls.delete(callId);
    answered.add(callId);
    forgetBeyond(answered, MAX_ANSWERED);
    passOn({ kind: "outcome", request, callId, action, outcome: vocabulary.interpretResult(action, block, detail) });
  };

  const followText = ({ text, author }: TextBlock, atMs: number | undefined): void => {
    const notice =
      author === "person"
        ? ({ kind: "asked", text: vocabulary.interpretPrompt?.(text) ?? text } as const)
        : vocabulary.interpretNotice?.(text);
    if (notice?.kind === "asked" && notice.text.trim() !== "")
      passOn({ kind: "asked", request, text: notice.text, atMs, answers: findAnswered(turn.state(), notice.text) });
    if (notice?.kind === "interrupted") passOn({ kind: "interrupted", request });
    if (notice?.kind === "finished") for (const id of notice.ids) passOn({ kind: "finished", request, id });
    if (notice?.kind === "finished" || notice?.kind === "reopened")
      passOn({ kind: "reopened", request, text: notice.text });
  };

  const followArrival = ({ block, source, atMs, detail }: Arrival): void => {
    if (block.kind === "toolResult") followResult(block, detail);
    // A summary only repeats what was heard before.
    if (block.kind === "text" && source !== "summary") followText(block, atMs);
  };

  return {
    feed(event) {
      if (event.kind === "output") followOutput(event);
      if (event.kind === "arrival") followArrival(event);
      if (event.kind === "compaction") {
        compactions++;
        passOn({ kind: "compacted", request });
      }
    },
    requests: () => request,
    state: () => ({
      requests: requests.state(),
      work: work.state(),
      episodes: episodes.state(),
      files: files.state(),
      commands: commands.state(),
      errors: errors.state(),
      decided: decided.state(),
      words: words.state(),
      phase: phase.state(),
      announced: announced.state(),
      turn: turn.state(),
      away: away.state(),
      compactions,
      openCalls: [...openCalls].map(([callId, action]) => ({ callId, action })),
      answered: [...answered],
      currentStep,
    }),
  };
}

/** Maps and sets remember the order of insertion. */
function forgetBeyond(known: Map<string, Action> | Set<string>, limit: number): void {
  const [oldest] = known.keys();
  if (known.size > limit && oldest !== undefined) known.delete(oldest);
}

/** An agent that works by itself and has not reported yet. */
interface Away {
  readonly id: string;
  readonly order: string;
  readonly request: number;
}

/** Bounded, because an agent whose report was lost must not be waited for all session. */
const MAX_AWAY = 50;

function createAwayTracker(saved: readonly Away[] = []): Tracker<readonly Away[]> {
  let away = saved;
  const settle = (isBack: (agent: Away) => boolean): void => {
    if (away.length > 0) away = away.filter((agent) => !isBack(agent));
  };
  return {
    follow(happening) {
      if (happening.kind === "finished") settle(({ id }) => id === happening.id);
      if (happening.kind !== "outcome") return;
      const { action, outcome, request } = happening;
      // Asked for an agent's output, the host reports its status.
      if (action.kind === "other" && /<status>(?:completed|failed|killed|stopped)/.test(outcome.text))
        settle(({ id }) => outcome.text.includes(id));
      if (action.kind !== "delegate" || (outcome.backgroundId ?? "") === "") return;
      away = [...away, { id: outcome.backgroundId ?? "", order: action.prompt, request }].slice(-MAX_AWAY);
    },
    state: () => away,
  };
}

const MAX_OPTION = 160;
/** A reply that is only an option's name, begins with it, or calls it an option. */
const PICKS =
  /^(?:option |number |#)?([a-d]|\d{1,2})(?:[.)!,]|$|\s(?=does|is|seems|looks|sounds|please))|\b(?:option|do|go with|pick|choose)\s#?([a-d]|\d{1,2})(?=\s|[.!,]|$)/i;

/** The model's question that a reply answers, with the option it names; for a bare "go on", what the model said is left. Empty if nothing was asked. */
function findAnswered(turn: Turn, reply: string): string {
  if (turn.last === "asked") return turn.question;
  if (turn.last !== "said") return "";
  const [, first, later] = PICKS.exec(reply.trim()) ?? [];
  const name = first ?? later;
  const option = name === undefined ? "" : findOption(turn.said, name);
  const closing = readClosing(turn.said, turn);
  const [left = ""] = carriesOn(reply) ? readRemainder(turn.said) : [];
  if (closing.kind !== "asks" || movesOn(closing.words)) return option || left;
  return option === "" ? closing.words : `${closing.words} (${option})`;
}

function findOption(said: string, name: string): string {
  const line = said
    .split("\n")
    .map((each) => each.trim().replace(/[*_`#]/g, ""))
    .findLast(
      (each) =>
        each
          .toLowerCase()
          .replace(/^(?:[-•]\s*)?(?:option )?\(?/, "")
          .search(new RegExp(`^${name.toLowerCase()}[.):—-]\\s`)) === 0,
    );
  return line === undefined ? "" : clipText(line, MAX_OPTION);
}

/** The last event, and the model's last words since the person spoke. */
interface Turn {
  readonly last: "nothing" | "asked" | "said" | "acted" | "interrupted" | "reopened";
  /** The end of the text; empty if the model has said nothing yet. */
  readonly said: string;
  readonly saidRequest: number;
  /** Whether the model had finished with it, if the host says. */
  readonly isTurnEnd?: boolean | undefined;
  /** The question that the person's newest words answer; empty if nothing was asked. */
  readonly question: string;
  readonly isAfterBreak?: boolean | undefined;
  /** What the host said when it began another turn by itself. */
  readonly reopenedBy?: string | undefined;
}

const BEGINNING: Turn = { last: "nothing", said: "", saidRequest: 0, question: "" };
/** Enough for a question and its options. */
const MAX_SAID = 3000;
const MAX_REOPENED = 400;

function createTurnTracker(saved: Turn = BEGINNING): Tracker<Turn> {
  let turn = saved;
  return {
    follow(happening) {
      if (happening.kind === "asked") {
        const isAfterBreak = turn.last === "interrupted";
        turn = { ...BEGINNING, last: "asked", question: happening.answers ?? "", isAfterBreak };
      }
      if (happening.kind === "interrupted") turn = { ...turn, last: "interrupted" };
      if (happening.kind === "reopened" && turn.last === "said")
        turn = { ...turn, last: "reopened", reopenedBy: happening.text.slice(0, MAX_REOPENED) };
      if (happening.kind === "act" || happening.kind === "outcome") turn = { ...turn, last: "acted" };
      if (happening.kind !== "said") return;
      const { text, request: saidRequest, isTurnEnd } = happening;
      turn = { ...turn, last: "said", said: takeEnd(text, MAX_SAID), saidRequest, isTurnEnd };
    },
    state: () => turn,
  };
}
