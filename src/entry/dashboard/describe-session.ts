import { groupBy } from "../../core/group-by.ts";
import { type Block, renderResultText } from "../../core/message.ts";
import { sumContextTokens } from "../../core/usage.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { type CacheMiss, sumMissedUsd } from "../../measure/cache-miss.ts";
import type { Recording, Step } from "../../measure/recording.ts";
import { listSummarySizes } from "../../measure/summary-sizes.ts";
import { billRequests, isLowerBound } from "../../models/economics/bill.ts";
import { priceUsage } from "../../models/economics/spend.ts";
import { estimateBlockTokens, tokenizerOf } from "../../models/tokens.ts";
import type { OwnAction } from "../../policy/actions/own-action.ts";
import { assessSession, attributeSession, type SessionPlace } from "../../recorded/assess-session.ts";
import { type FoldedAction, listFolds, priceFold } from "../../recorded/judge-folds.ts";
import { judgeCompaction, listCompactions } from "../../recorded/list-compactions.ts";
import { listReceipts } from "../../recorded/read-actions.ts";
import { capitalise, labelCause } from "../person/labels.ts";
import { describeHead, type Watched } from "./describe-head.ts";
import { describeSeries } from "./describe-series.ts";
import type { CompactionDetail, Fold, RequestBlock, SessionDetail, SessionRequest, ShownOriginal } from "./wire.ts";

export function describeSession(watched: Watched, place: SessionPlace): SessionDetail {
  const session = watched.followed.read();
  const { recording, tally, transcript } = session;
  const { misses, steps } = session.accounts;
  const bill = billRequests(steps);
  const inConversation = new Set(recording.steps.map(({ id }) => id));
  const requests = listRequests(recording, watched.actions, misses);
  const folds = requests.flatMap((request) => request.folds);
  const sum = (values: readonly (number | undefined)[]): number =>
    values.reduce((total: number, value = 0) => total + value, 0);
  return {
    ...describeHead(watched, session),
    startMs: recording.steps.find(({ atMs }) => atMs !== undefined)?.atMs,
    client: transcript.version,
    lines: tally,
    totals: {
      usd: bill.spend.totalUsd,
      isAtLeast: isLowerBound(bill),
      asideRequests: steps.filter(({ stepId }) => !inConversation.has(stepId)).length,
      cacheHit: shareRead(recording.steps),
      outputTokens: sum(requests.map(({ outputTokens }) => outputTokens)),
      missed: sumMissedUsd(misses),
      foldedTokens: sum(folds.map(({ savedTokens }) => savedTokens)),
      folded: {
        usd: sum(folds.map(({ savedUsd }) => savedUsd)),
        isAtLeast: folds.some(({ savedUsd }) => savedUsd === undefined),
      },
    },
    compactionPointTokens: assessSession(session, place).compactionPointTokens,
    series: describeSeries(session, attributeSession(session), watched.actions),
    requests,
  };
}

function listRequests(
  recording: Recording,
  actions: readonly OwnAction[],
  misses: readonly CacheMiss[],
): readonly SessionRequest[] {
  const missOf = new Map(misses.map((miss) => [miss.stepId, miss]));
  const foldsOf = groupBy(listFolds(recording, actions), ({ request }) => String(request));
  return recording.steps.map((step, index): SessionRequest => {
    const miss = missOf.get(step.id);
    const opening = recording.windows.find(({ firstStep, compaction }) => compaction && firstStep === index);
    const here = foldsOf.get(String(index + 1)) ?? [];
    return {
      number: index + 1,
      atMs: step.atMs,
      model: step.model,
      contextTokens: step.contextTokens,
      outputTokens: step.usage?.outputTokens ?? 0,
      usd: step.usage && priceUsage(step.usage, step.model, { atMs: step.atMs })?.totalUsd,
      isAtLeast: !step.isOutputFinal,
      cacheHit: shareRead([step]),
      calls: step.outputs.flatMap((block) => (block.kind === "toolCall" ? [block.tool] : [])),
      folds: here.map(({ action, request }) => describeFold(action, recording, request)),
      miss: miss && {
        cause: capitalise(labelCause(miss.cause)),
        tokens: miss.missedTokens,
        extraUsd: miss.extraUsd,
      },
      clears: recording.microcompactions.filter(({ beforeStep }) => beforeStep === index).length,
      compaction: opening?.compaction?.trigger,
    };
  });
}

/** Cache reads as a share of everything sent. */
function shareRead(steps: readonly Step[]): number | undefined {
  let sent = 0;
  let read = 0;
  for (const { usage } of steps) {
    if (!usage) continue;
    sent += sumContextTokens(usage);
    read += usage.cacheReadTokens;
  }
  return sent === 0 ? undefined : read / sent;
}

function describeFold(action: FoldedAction, recording: Recording, request: number): Fold {
  const { tool, handle, characters, shownCharacters, savedTokens } = action;
  return { tool, handle, characters, shownCharacters, savedTokens, ...priceFold(action, recording, request) };
}

const START_CHARACTERS = 240;
/** A longer text takes a browser seconds to lay out, and no person reads it. */
const MOST_CHARACTERS = 200_000;

/** The new contents of one request and its answer; `undefined` if there is no such request. */
export function describeRequest({ steps }: Recording, request: number): readonly RequestBlock[] | undefined {
  const step = steps[request - 1];
  if (!step) return undefined;
  const tokenizer = tokenizerOf(step.model);
  return listBlocks(step).map(({ direction, label, block }) => {
    const text = textOf(block);
    const tokens = Math.round(estimateBlockTokens(block, tokenizer));
    return { direction, label, characters: text.length, tokens, start: text.slice(0, START_CHARACTERS) };
  });
}

/** One block's text, up to the limit of a page. */
export function describeBlock({ steps }: Recording, request: number, index: number): ShownOriginal | undefined {
  const step = steps[request - 1];
  const found = step && listBlocks(step)[index];
  return found && describeOriginal(found.label, textOf(found.block));
}

export function describeOriginal(label: string, text: string): ShownOriginal {
  return { label, text: text.slice(0, MOST_CHARACTERS), characters: text.length };
}

function listBlocks({ arrivals, outputs }: Step) {
  return [
    ...arrivals.map(({ source, label, block }) => {
      return { direction: "sent" as const, label: source === "toolResult" ? `${label} result` : label, block };
    }),
    ...outputs.map((block) => {
      const label = block.kind === "toolCall" ? `${block.tool} call` : block.kind;
      return { direction: "answered" as const, label, block };
    }),
  ];
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "text":
    case "thinking":
      return block.text;
    case "toolCall":
      return JSON.stringify(block.input, null, 2);
    case "toolResult":
      return renderResultText(block) || `(${block.parts.map(({ kind }) => kind).join(", ") || "empty"})`;
    case "image":
      return `(an image, ${block.mediaType})`;
    case "opaque":
      return JSON.stringify(block.raw, null, 2);
  }
}

const MOST_SUMMARY_CHARACTERS = 100_000;

/** Every compaction before and after, with two receipts: one from the transcript, one recorded live. */
export function describeCompactions(
  session: RecordedSession,
  actions: readonly OwnAction[],
): readonly CompactionDetail[] {
  const { recording } = session;
  const byOrigin = new Map([...listCompactions(session)].map((recorded) => [recorded.origin, recorded]));
  const sizes = new Map(listSummarySizes(recording).map((size) => [size.compaction, size]));
  const live = new Map(listReceipts(actions).map((receipt) => [receipt.compaction, receipt]));
  return recording.windows.flatMap(({ compaction, firstStep }, number): readonly CompactionDetail[] => {
    if (!compaction) return [];
    const { trigger, atMs, durationMs, preTokens, postTokens } = compaction;
    const recorded = byOrigin.get(compaction.origin);
    const size = sizes.get(number);
    return [
      {
        number,
        trigger,
        atMs,
        tokensBefore: preTokens ?? recording.steps[firstStep - 1]?.contextTokens,
        tokensAfter: recording.steps[firstStep]?.contextTokens ?? postTokens,
        durationMs,
        summary: recorded && size && { ...size, text: recorded.summary.slice(0, MOST_SUMMARY_CHARACTERS) },
        receipt: recorded && judgeCompaction(recorded),
        live: live.get(number),
      },
    ];
  });
}
