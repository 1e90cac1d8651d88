import type { ActionDetail } from "../../../policy/actions/own-action.ts";
import type { SummaryDiff } from "../../../survive/receipt/diff-summary.ts";
import type { KnownConversation } from "../memory-file.ts";
import type { WatchState } from "../watch.ts";

/** A compaction that was answered, until a request shows that the client has carried it out. */
export interface PendingCompaction
  extends Omit<Extract<ActionDetail, { kind: "compacted" }>, "kind" | "tokensAfter" | "isEstimated"> {
  readonly expectedTokens: number;
  /** Why we started it; `undefined` if the client or the person did. */
  readonly steeredBy: "line" | "price" | "loop" | undefined;
  /** A text that is in the conversation once the client has carried it out. */
  readonly landmark: string;
  /** The state before it, in case the client does not carry it out. */
  readonly before: Pick<KnownConversation, "beside" | "keptAnswers"> & { readonly load: WatchState["load"] };
}

export interface LostFacts {
  readonly compaction: number;
  readonly diff: SummaryDiff;
}

interface OpenRepair {
  /** What is to be put back after the rows that the client kept; empty once it is there. */
  readonly due: string;
  /** Set until it was checked that it is back in the conversation; absent if an earlier process answered. */
  readonly lost?: LostFacts | undefined;
}

interface Stage {
  readonly pending?: PendingCompaction | undefined;
  readonly repair?: OpenRepair | undefined;
}

/** The module's state around a compaction: idle, answering, answered, repairing, and idle again. */
export type Life =
  | { readonly kind: "idle"; readonly pending?: undefined; readonly repair?: undefined }
  /** The new window has not begun. Nothing is pending if a request was measured all the same. */
  | ({ readonly kind: "answering" } & Stage)
  /** The new window has begun, and no request of it was measured. */
  | ({ readonly kind: "answered"; readonly pending: PendingCompaction } & Stage)
  /** It was measured; what the client's summary lost is not yet known to be back. */
  | { readonly kind: "repairing"; readonly pending?: undefined; readonly repair: OpenRepair };

export const IDLE: Life = { kind: "idle" };

/** We gave the client an answer, or it gave its own, which lost something. */
export function answerGiven({ repair }: Life, pending: PendingCompaction, lost?: LostFacts): Life {
  return { kind: "answering", pending, repair: lost === undefined ? repair : { due: repair?.due ?? "", lost } };
}

/** The new window has begun, or never will because the client goes on with the old conversation. */
export function windowBegan(life: Life): Life {
  if (life.kind !== "answering") return life;
  const { pending, repair } = life;
  return pending === undefined ? goOn(repair) : { kind: "answered", pending, repair };
}

/** A request was measured, or the session ends. */
export function compactionSettled(life: Life): Life {
  if (life.kind === "answering") return { ...life, pending: undefined };
  return life.kind === "answered" ? goOn(life.repair) : life;
}

/** What was lost waits for its place in the conversation; `due` is empty once it is there. */
export function repairWaits(life: Life, due: string): Life {
  return withRepair(life, { ...life.repair, due });
}

/** It was searched for in the conversation as the client sends it. */
export function repairChecked(life: Life): Life {
  return withRepair(life, { due: life.repair?.due ?? "" });
}

function withRepair(life: Life, given: OpenRepair): Life {
  const repair = given.due === "" && given.lost === undefined ? undefined : given;
  return life.kind === "answering" || life.kind === "answered" ? { ...life, repair } : goOn(repair);
}

function goOn(repair: OpenRepair | undefined): Life {
  return repair === undefined ? IDLE : { kind: "repairing", repair };
}
