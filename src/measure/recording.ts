import {
  type Arrival,
  type Compaction,
  type Microcompaction,
  type Output,
  type SessionEvent,
  unreportedCompaction,
} from "../core/event.ts";
import type { Block } from "../core/message.ts";
import { sumContextTokens, type Usage } from "../core/usage.ts";

export interface Step {
  readonly id: string;
  readonly model: string;
  readonly atMs: number | undefined;
  readonly usage: Usage | undefined;
  /** Tokens the request carried; 0 if no usage was recorded. */
  readonly contextTokens: number;
  readonly isOutputFinal: boolean;
  /** What joined the conversation since the previous step. */
  readonly arrivals: readonly Arrival[];
  readonly outputs: readonly Block[];
  /** Index into `Recording.windows`. */
  readonly window: number;
  /** The window size that the client reported, if any. */
  readonly windowTokens?: number | undefined;
}

/** A segment between compactions: within it the conversation only grows. */
export interface Window {
  readonly compaction: Compaction | undefined;
  readonly firstStep: number;
  readonly kept: readonly (Arrival | Output)[];
}

export interface Recording {
  readonly steps: readonly Step[];
  readonly windows: readonly Window[];
  /** What arrived since the last request and will be sent with the next one. */
  readonly waiting: readonly Arrival[];
  readonly microcompactions: readonly { readonly beforeStep: number; readonly event: Microcompaction }[];
}

interface Draft {
  output: Output;
  outputs: Block[];
  arrivals: Arrival[];
  window: number;
}

/** Events of one conversation as steps: split answers joined with the last recorded usage, results before the request that carried them. */
export function createRecording(events: readonly SessionEvent[]): Recording {
  const drafts: Draft[] = [];
  const draftOf = new Map<string, number>();
  const callStep = new Map<string, number>();
  const windows: Window[] = [{ compaction: undefined, firstStep: 0, kept: [] }];
  const microcompactions: { beforeStep: number; event: Microcompaction }[] = [];
  let waiting: Arrival[] = [];
  let isFreshBoundary = false;

  const openWindow = (compaction: Compaction): void => {
    const kept = compaction.preserved.length > 0 ? collectKept(events, new Set(compaction.preserved)) : [];
    windows.push({ compaction, firstStep: drafts.length, kept });
    waiting = [];
    isFreshBoundary = true;
  };

  for (const event of events) {
    if (event.kind === "compaction") openWindow(event);
    else if (event.kind === "microcompaction") microcompactions.push({ beforeStep: drafts.length, event });
    else if (event.kind === "arrival") {
      // Clients before 2.0.60 write a summary without a boundary line.
      if (event.source === "summary" && !isFreshBoundary) openWindow(unreportedCompaction(event.origin, event.atMs));
      const answered = event.block.kind === "toolResult" ? callStep.get(event.block.callId) : undefined;
      const carrier = answered === undefined ? undefined : drafts[answered + 1];
      (carrier?.arrivals ?? waiting).push(event);
    } else {
      const known = draftOf.get(event.stepId);
      const draft = known === undefined ? undefined : drafts[known];
      const index = known ?? drafts.length;
      if (draft) {
        draft.output = mergeOutput(draft.output, event);
        draft.outputs.push(...event.blocks);
      } else {
        draftOf.set(event.stepId, index);
        // A result may be recorded before its own call: then it was sent with the next request, not with this one.
        const arrivals = waiting.filter((arrival) => !isResultOf(arrival, event));
        waiting = waiting.filter((arrival) => isResultOf(arrival, event));
        drafts.push({ output: event, outputs: [...event.blocks], arrivals, window: windows.length - 1 });
        isFreshBoundary = false;
      }
      for (const block of event.blocks) if (block.kind === "toolCall") callStep.set(block.callId, index);
    }
  }
  return { steps: drafts.map(finishStep), windows, waiting, microcompactions };
}

function isResultOf({ block }: Arrival, { blocks }: Output): boolean {
  return block.kind === "toolResult" && blocks.some((call) => call.kind === "toolCall" && call.callId === block.callId);
}

/** The last line's counts, but never fewer output tokens than an earlier line gave. */
function mergeOutput(earlier: Output, later: Output): Output {
  if (!later.usage) return { ...later, usage: earlier.usage, isOutputFinal: earlier.isOutputFinal, atMs: earlier.atMs };
  const outputTokens = Math.max(earlier.usage?.outputTokens ?? 0, later.usage.outputTokens);
  return { ...later, atMs: earlier.atMs, usage: { ...later.usage, outputTokens } };
}

function finishStep({ output, outputs, arrivals, window }: Draft): Step {
  const { stepId: id, model, atMs, usage, isOutputFinal, windowTokens } = output;
  return {
    id,
    model,
    atMs,
    usage,
    contextTokens: usage ? sumContextTokens(usage) : 0,
    isOutputFinal,
    arrivals,
    outputs,
    window,
    ...(windowTokens !== undefined && { windowTokens }),
  };
}

function collectKept(events: readonly SessionEvent[], origins: ReadonlySet<string>): Window["kept"] {
  return events
    .filter((event) => event.kind === "arrival" || event.kind === "output")
    .filter(({ origin }) => origins.has(origin));
}
