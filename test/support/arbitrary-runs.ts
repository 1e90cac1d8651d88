import fc from "fast-check";
import type { SentMessage, WireBlock } from "../gateway/conversation.ts";

/**
 * Two runs of one prompt, told request by request. They share call ids throughout and, round by round, what is called, what
 * comes back and what is said, or not. In between a client clears an old result, runs a tool again under its call id, or goes
 * back and takes another way. Everything that only one of them says holds a word that nothing else holds.
 */
export interface RunRequest {
  readonly run: 0 | 1;
  readonly messages: readonly SentMessage[];
}

interface Round {
  readonly tool: "view" | "edit" | "bash";
  readonly file: number;
  readonly lines: number;
  readonly isError: boolean;
  /** What both runs have in common of it. */
  readonly sharesCall: boolean;
  readonly sharesOutput: boolean;
  readonly sharesWords: boolean;
}

interface Act {
  readonly run: 0 | 1;
  readonly what: "goOn" | "clear" | "runAgain" | "goBack";
  readonly at: number;
}

const CLEARED_BY_CLIENT = "[Old tool result content cleared]";

const arbitraryRound = fc.record<Round>({
  tool: fc.constantFrom("view", "view", "edit", "bash"),
  file: fc.nat(1),
  lines: fc.constantFrom(1, 14, 14, 130),
  isError: fc.nat(7).map((chance) => chance === 0),
  sharesCall: fc.nat(3).map((chance) => chance > 0),
  sharesOutput: fc.boolean(),
  sharesWords: fc.nat(3).map((chance) => chance > 0),
});

const arbitraryAct = fc.record<Act>({
  run: fc.constantFrom(0, 1),
  what: fc.constantFrom("goOn", "goOn", "goOn", "goOn", "clear", "runAgain", "goBack"),
  at: fc.nat(30),
});

/** `size` requests; the first rounds are wholly the same in both runs. */
export function arbitraryRuns(size: number): fc.Arbitrary<readonly RunRequest[]> {
  const rounds = fc.array(arbitraryRound, { minLength: size, maxLength: size });
  const acts = fc.array(arbitraryAct, { minLength: size, maxLength: size });
  return fc.tuple(rounds, fc.nat(4), acts).map(([drawn, prefix, row]) => {
    const isSame = { sharesCall: true, sharesOutput: true, sharesWords: true };
    const reported = drawn.map((round, index) => (index < prefix ? { ...round, ...isSame } : round));
    return recordRuns(reported, row);
  });
}

interface Run {
  readonly name: string;
  rounds: number;
  /** Grows with every other way that is taken; each round belongs to the one on which it was first told. */
  way: number;
  readonly ways: Map<number, number>;
  /** How often each tool ran again; `undefined` where its result was cleared. */
  readonly times: Map<number, number | undefined>;
}

function recordRuns(rounds: readonly Round[], acts: readonly Act[]): readonly RunRequest[] {
  const runs: readonly [Run, Run] = [createRun("alpha"), createRun("beta")];
  return acts.map(({ run, what, at }) => {
    const state = runs[run];
    const round = at % state.rounds;
    if (what === "goOn") state.rounds = Math.min(rounds.length, state.rounds + 1 + (at % 3));
    else if (what === "clear") state.times.set(round, undefined);
    else if (what === "runAgain") state.times.set(round, (state.times.get(round) ?? 0) + 1);
    else {
      state.rounds = Math.max(1, state.rounds - 1 - (at % 4));
      state.way++;
      for (const known of [state.times, state.ways])
        for (const round of [...known.keys()]) if (round >= state.rounds) known.delete(round);
    }
    return { run, messages: mark(renderRun(state, rounds)) };
  });
}

function createRun(name: string): Run {
  return { name, rounds: 1, way: 0, ways: new Map(), times: new Map() };
}

function renderRun(run: Run, rounds: readonly Round[]): readonly SentMessage[] {
  const messages = rounds.slice(0, run.rounds).flatMap((round, index): SentMessage[] => {
    const way = run.ways.get(index) ?? run.way;
    run.ways.set(index, way);
    const own = `${run.name}_${way}`;
    const id = `toolu_${index}`;
    const said = `both_words_${index} ${round.sharesWords ? "" : `${own}_words_${index}`}`;
    const input = renderInput(round, round.sharesCall ? "both" : own);
    const name = round.tool === "bash" ? "bash" : "str_replace_based_edit_tool";
    const output = renderOutput(round, { index, own, times: run.times.has(index) ? run.times.get(index) : 0 });
    return [
      { role: "assistant", content: [text(said), { type: "tool_use", id, name, input }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: output, is_error: round.isError }],
      },
    ];
  });
  return [{ role: "user", content: [text("both_prompt")] }, ...messages];
}

function text(words: string): WireBlock {
  return { type: "text", text: words };
}

function renderInput({ tool, file }: Round, owner: string): object {
  if (tool === "bash") return { command: `make ${owner}_target${file}` };
  const path = `src/${owner}_file${file}.ts`;
  return tool === "view" ? { command: "view", path } : { command: "str_replace", path, old_str: "a", new_str: "b" };
}

interface Output {
  readonly index: number;
  readonly own: string;
  readonly times: number | undefined;
}

function renderOutput(round: Round, { index, own, times }: Output): string {
  if (times === undefined) return CLEARED_BY_CLIENT;
  const owner = round.sharesOutput && times === 0 ? "both" : own;
  const word = `${owner}_output_${index}_${times}`;
  return Array.from({ length: round.lines }, (_, line) => `plank ${line} of the hull, seen by ${word}`).join("\n");
}

/** The breakpoint at the end, where a client sets it. */
function mark(messages: readonly SentMessage[]): readonly SentMessage[] {
  return messages.map((message, index) => {
    if (index < messages.length - 1 || typeof message.content === "string") return message;
    return {
      ...message,
      content: message.content.map((block) => ({ ...block, cache_control: { type: "ephemeral" } })),
    };
  });
}
