import fc from "fast-check";
import type { SessionEvent } from "../../src/core/event.ts";
import type { Block } from "../../src/core/message.ts";
import { arbitraryText } from "./arbitrary-session.ts";
import {
  answer,
  CLASSIC,
  called,
  clearedInPlace,
  compacted,
  DENSE,
  injected,
  prompt,
  result,
  said,
  thought,
  usage,
} from "./session-events.ts";

/**
 * Whole random sessions as events: answers split over lines, usage on every line, on the last or on none, results before
 * and behind the request that carried them, compactions with and without a boundary line, preserved messages, clearings,
 * model switches, pauses and missing times.
 */
export function arbitraryEvents(maxRounds = 12): fc.Arbitrary<readonly SessionEvent[]> {
  const round = fc.oneof({ weight: 9, arbitrary: arbitraryStep }, { weight: 1, arbitrary: arbitraryBreak });
  return fc.array(round, { maxLength: maxRounds }).map(renderRounds);
}

interface StepRound {
  readonly kind: "step";
  readonly asked: readonly string[];
  readonly reminder: string | undefined;
  readonly lines: readonly (readonly BlockSeed[])[];
  readonly grownTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  readonly isOutputFinal: boolean;
  readonly usageOn: "every line" | "last line" | "no line";
  readonly isDense: boolean;
  readonly pauseMs: number | undefined;
  readonly resultsAreLate: boolean;
}

type BlockSeed = { readonly kind: "text" | "thinking" | "Bash" | "Read"; readonly text: string };

interface BreakRound {
  readonly kind: "boundary" | "summary only" | "cleared";
  readonly trigger: string;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  readonly summary: string;
  readonly keepsLast: number;
}

const arbitraryBlock: fc.Arbitrary<BlockSeed> = fc.record({
  kind: fc.constantFrom("text", "thinking", "Bash", "Read"),
  text: arbitraryText,
});

const arbitraryStep: fc.Arbitrary<StepRound> = fc.record({
  kind: fc.constant("step"),
  asked: fc.array(arbitraryText, { maxLength: 2 }),
  reminder: fc.option(arbitraryText, { nil: undefined }),
  lines: fc.array(fc.array(arbitraryBlock, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  grownTokens: fc.oneof(
    { weight: 9, arbitrary: fc.nat(6000) },
    { weight: 1, arbitrary: fc.integer({ min: -20_000, max: 0 }) },
  ),
  writtenTokens: fc.nat(3000),
  outputTokens: fc.nat(2000),
  isOutputFinal: fc.boolean(),
  usageOn: fc.constantFrom("every line", "every line", "last line", "no line"),
  isDense: fc.boolean(),
  pauseMs: fc.option(fc.constantFrom(1000, 400_000, 4_000_000), { nil: undefined }),
  resultsAreLate: fc.boolean(),
});

const arbitraryBreak: fc.Arbitrary<BreakRound> = fc.record({
  kind: fc.constantFrom("boundary", "boundary", "summary only", "cleared"),
  trigger: fc.constantFrom("auto", "manual", "unknown"),
  preTokens: fc.option(fc.nat(200_000), { nil: undefined }),
  postTokens: fc.option(fc.nat(10_000), { nil: undefined }),
  summary: arbitraryText,
  keepsLast: fc.nat(3),
});

function renderRounds(rounds: readonly (StepRound | BreakRound)[]): readonly SessionEvent[] {
  const events: SessionEvent[] = [];
  let late: readonly SessionEvent[] = [];
  let contextTokens = 20_000;
  let atMs = 1_700_000_000_000;
  for (const [index, round] of rounds.entries()) {
    if (round.kind !== "step") {
      events.push(...renderBreak(round, events));
      continue;
    }
    contextTokens = Math.max(1000, contextTokens + round.grownTokens);
    atMs += round.pauseMs ?? 0;
    const { lines, results } = renderStep(round, { index, contextTokens, atMs });
    events.push(...lines, ...late, ...(round.resultsAreLate ? [] : results));
    late = round.resultsAreLate ? results : [];
    events.push(...round.asked.map((words, order) => prompt(words, { origin: `${index}.p${order}` })));
    if (round.reminder !== undefined) events.push(injected("reminder", round.reminder));
  }
  return [...events, ...late];
}

function renderStep(
  round: StepRound,
  at: { readonly index: number; readonly contextTokens: number; readonly atMs: number },
): { readonly lines: readonly SessionEvent[]; readonly results: readonly SessionEvent[] } {
  const { index, contextTokens } = at;
  const write5m = Math.min(round.writtenTokens, contextTokens);
  const counted = usage({ read: contextTokens - write5m, write5m, output: round.outputTokens });
  const lines = round.lines.map((seeds, line) => {
    const hasUsage =
      round.usageOn === "every line" || (round.usageOn === "last line" && line === round.lines.length - 1);
    const blocks = seeds.map((seed, order): Block => {
      if (seed.kind === "text") return said(seed.text);
      if (seed.kind === "thinking") return thought(seed.text, "s".repeat(seed.text.length));
      return called(seed.kind, `${index}.${line}.${order}`, { about: seed.text });
    });
    return answer(`step ${index}`, hasUsage ? counted : undefined, blocks, {
      origin: `${index}.${line}`,
      model: round.isDense ? DENSE : CLASSIC,
      isOutputFinal: round.isOutputFinal,
      ...(round.pauseMs === undefined ? {} : { atMs: at.atMs }),
    });
  });
  const results = lines.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === "toolCall"
        ? [result(block.tool, block.callId, "line\n".repeat(index * 30), { origin: `r${block.callId}` })]
        : [],
    ),
  );
  return { lines, results };
}

function renderBreak(round: BreakRound, before: readonly SessionEvent[]): readonly SessionEvent[] {
  if (round.kind === "cleared") return [clearedInPlace(5000)];
  const summary = injected("summary", round.summary);
  if (round.kind === "summary only") return [summary];
  const preserved = before.slice(before.length - round.keepsLast).map(({ origin }) => origin);
  const boundary = compacted({
    trigger: round.trigger,
    preserved: preserved.filter((origin) => origin !== ""),
    ...(round.preTokens === undefined ? {} : { preTokens: round.preTokens }),
    ...(round.postTokens === undefined ? {} : { postTokens: round.postTokens }),
  });
  return [boundary, summary];
}
