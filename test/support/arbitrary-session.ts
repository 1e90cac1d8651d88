import fc from "fast-check";
import type { Message } from "../../src/core/message.ts";
import {
  assistant,
  type BlockDraft,
  call,
  conversation,
  image,
  type MessageDraft,
  opaque,
  reminder,
  resultOf,
  system,
  thinking,
  user,
} from "./build.ts";

export interface SessionOptions {
  readonly maxRounds?: number;
  /** Only what a provider takes: begins with a user message and every call has its result. */
  readonly isWhole?: boolean;
}

/**
 * Whole random conversations, deeply frozen: parallel calls in one assistant message or several, failures, images, thinking,
 * blocks and result parts nobody understands, system messages anywhere, interrupted calls, results split over several user
 * messages, calls still open at the end. Equal texts are frequent.
 */
export function arbitrarySession(options: SessionOptions = {}): fc.Arbitrary<readonly Message[]> {
  return arbitraryRounds(options).map((rounds) => conversation(...renderRounds(rounds)));
}

export interface Growth {
  /** What one request sent. */
  readonly earlier: readonly Message[];
  /** What a later request sends: equal at the beginning, parsed anew as a host would. */
  readonly later: readonly Message[];
}

/** A conversation that grows between two requests. No call is waiting for its result at the first one. */
export function arbitraryGrowth(options: SessionOptions = {}): fc.Arbitrary<Growth> {
  return fc.tuple(arbitraryRounds(options), arbitraryRounds(options)).map(([before, more]) => ({
    earlier: conversation(...renderRounds(before)),
    later: conversation(...renderRounds([...before, ...more])),
  }));
}

/** Short and often equal, with now and then any UTF-16 at all, half surrogates included. */
export const arbitraryText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("ok", "continue", "src/a.ts", "line\n".repeat(40)) },
  { weight: 1, arbitrary: arbitraryUnits(12) },
);

export function arbitraryUnits(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0xffff), { maxLength }).map((units) => String.fromCharCode(...units));
}

/** What happens between two requests, or one step of it. */
type Round = TalkRound | WorkRound | NoteRound;

interface TalkRound {
  readonly kind: "talk";
  readonly asked: readonly BlockDraft[];
  readonly answered: readonly BlockDraft[];
}

interface NoteRound {
  readonly kind: "note";
  readonly note: string;
}

interface WorkRound {
  readonly kind: "work";
  readonly said: readonly BlockDraft[];
  readonly calls: readonly Call[];
  /** One assistant message per call instead of one for all: some hosts store them so. */
  readonly isSpread: boolean;
  readonly noteBeforeResults: boolean;
  readonly afterwards: readonly BlockDraft[];
}

interface Call {
  readonly tool: string;
  readonly output: Parameters<typeof resultOf>[1];
  readonly outcome: "done" | "failed" | "interrupted";
  /** The next result comes in a user message of its own. */
  readonly endsMessage: boolean;
}

const arbitraryOpaque = fc
  .constantFrom("server_tool_use", "citation_v9")
  .chain((type) => arbitraryText.map((payload) => opaque(type, { payload })));
const arbitraryImage = fc.constantFrom("iVBORw0KGgo", "R0lGODlh").map((data) => image(data));
const arbitraryThinking = arbitraryText.map(thinking);
const arbitraryWords = arbitraryText.map((words): BlockDraft => ({ kind: "text", text: words, author: "person" }));
const arbitrarySaying = arbitraryText.map((words): BlockDraft => ({ kind: "text", text: words, author: "model" }));
const arbitraryOutput = fc.oneof(
  { weight: 3, arbitrary: arbitraryText },
  { weight: 1, arbitrary: fc.array(fc.oneof(arbitraryText, arbitraryImage, arbitraryOpaque), { maxLength: 3 }) },
);

const arbitraryTalk: fc.Arbitrary<TalkRound> = fc.record({
  kind: fc.constant("talk"),
  asked: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: arbitraryWords },
      { weight: 2, arbitrary: arbitraryText.map(reminder) },
      { weight: 1, arbitrary: arbitraryImage },
      { weight: 1, arbitrary: arbitraryOpaque },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  answered: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: arbitrarySaying },
      { weight: 2, arbitrary: arbitraryThinking },
      { weight: 1, arbitrary: arbitraryOpaque },
    ),
    { maxLength: 2 },
  ),
});

const arbitraryNote: fc.Arbitrary<NoteRound> = fc.record({ kind: fc.constant("note"), note: arbitraryText });

function arbitraryWork(isWhole: boolean): fc.Arbitrary<WorkRound> {
  const outcomes = isWhole ? (["done", "failed"] as const) : (["done", "done", "failed", "interrupted"] as const);
  const arbitraryCall: fc.Arbitrary<Call> = fc.record({
    tool: fc.constantFrom("Bash", "Read"),
    output: arbitraryOutput,
    outcome: fc.constantFrom(...outcomes),
    endsMessage: fc.boolean(),
  });
  return fc.record({
    kind: fc.constant("work"),
    said: fc.array(fc.oneof(arbitrarySaying, arbitraryThinking), { maxLength: 2 }),
    calls: fc.array(arbitraryCall, { minLength: 1, maxLength: 4 }),
    isSpread: fc.boolean(),
    noteBeforeResults: fc.boolean(),
    afterwards: fc.array(arbitraryWords, { maxLength: 1 }),
  });
}

function arbitraryRounds({ maxRounds = 5, isWhole = false }: SessionOptions): fc.Arbitrary<readonly Round[]> {
  const some = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: arbitraryTalk },
      { weight: 5, arbitrary: arbitraryWork(isWhole) },
      { weight: 1, arbitrary: arbitraryNote },
    ),
    { minLength: 1, maxLength: maxRounds },
  );
  if (isWhole) return fc.tuple(arbitraryTalk, some).map(([first, more]) => [first, ...more]);
  return fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 30, arbitrary: some });
}

function renderRounds(rounds: readonly Round[]): readonly MessageDraft[] {
  return rounds.flatMap(renderRound);
}

function renderRound(round: Round, index: number): readonly MessageDraft[] {
  switch (round.kind) {
    case "talk":
      return [user(...round.asked), ...(round.answered.length === 0 ? [] : [assistant(...round.answered)])];
    case "note":
      return [system(round.note)];
    case "work":
      return renderWork(round, index);
  }
}

function renderWork(round: WorkRound, index: number): readonly MessageDraft[] {
  const named = round.calls.map((made, order) => ({ ...made, callId: `call ${index}.${order}` }));
  const calls = named.map(({ tool, callId }) => call(tool, { for: callId }, callId));
  const [first, ...others] = calls;
  const asked =
    round.isSpread && first !== undefined
      ? [assistant(...round.said, first), ...others.map((other) => assistant(other))]
      : [assistant(...round.said, ...calls)];
  const answers: BlockDraft[][] = [[]];
  for (const { callId, output, outcome, endsMessage } of named) {
    if (outcome !== "interrupted") answers.at(-1)?.push(resultOf(callId, output, outcome === "failed"));
    if (endsMessage) answers.push([]);
  }
  answers.at(-1)?.push(...round.afterwards);
  return [
    ...asked,
    ...(round.noteBeforeResults ? [system("a note")] : []),
    ...answers.filter((blocks) => blocks.length > 0).map((blocks) => user(...blocks)),
  ];
}
