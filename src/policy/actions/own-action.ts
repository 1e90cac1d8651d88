import { isObject, parseJson } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";
import type { Level } from "../../measure/level.ts";
import type { RestoreReceipt } from "../../survive/restore/step-restore.ts";
import type { DensityEvent } from "../density/density-state.ts";

/**
 * One thing that Plimsoll did, tried or declined in a live session: a line of `deeds-*.jsonl` in the session's data folder. The doctor,
 * `stats --injections`, `receipt` and `explain` know live sessions only from these lines.
 */
export type OwnAction = ActionDetail & {
  readonly atMs: number;
  readonly door: "module" | "hook" | "codex";
  /** The client event during which it happened. */
  readonly event: string;
  /** The client's version; empty if unknown. */
  readonly client: string;
};

export type ActionDetail =
  /** The entry point ran, and took this long. */
  | { readonly kind: "ran"; readonly ms: number }
  | {
      readonly kind: "folded";
      readonly callId: string;
      readonly tool: string;
      readonly handle: string;
      readonly characters: number;
      readonly shownCharacters: number;
      readonly savedTokens: number;
      /** Time to make the preview, without storing it; absent if not measured. */
      readonly ms?: number;
    }
  /** Text that we put into the window, with its tokens in every later request. */
  | {
      readonly kind: "injected";
      readonly what: InjectedWhat;
      readonly why: string;
      readonly characters: number;
      readonly tokens: number;
      readonly model: string;
    }
  | {
      readonly kind: "compacted";
      readonly by: "plimsoll" | "client";
      /** Of a subagent's window, not the session's own. */
      readonly agentId?: string;
      readonly trigger: string;
      readonly tokensBefore: number;
      /** Tokens of the next request. */
      readonly tokensAfter: number;
      /** No request followed in the same process, so `tokensAfter` is an estimate. */
      readonly isEstimated?: boolean;
      /** Estimated tokens of what replaced the history; absent for the client's own summary, which its transcript holds. */
      readonly recordTokens?: number;
      /** The record holds a note that a model wrote for it, at this price if that is known. */
      readonly note?: { readonly usd?: number };
      readonly ms: number;
      readonly why: string;
    }
  /** A model was asked for a note; `isJoined` if the answer came in time and has text. */
  | {
      readonly kind: "note";
      readonly isJoined: boolean;
      readonly why: string;
      readonly ms: number;
      readonly usage: Usage;
      /** Absent for a model without a known price. */
      readonly usd?: number;
    }
  | ({ readonly kind: "receipt" } & RestoreReceipt)
  /** A change of density, so that readers of the journal learn of it. */
  | { readonly kind: "signal"; readonly signal: DensityEvent }
  /** A report at a boundary of the work, or a message to the user: the load, and what was advised. */
  | { readonly kind: "report"; readonly why: string; readonly level: Level; readonly advised: string }
  | { readonly kind: "blocked"; readonly tool: string; readonly why: string }
  | { readonly kind: "declined"; readonly what: string; readonly why: string }
  /** The client was given an answer and ignored it, as its transcript shows. */
  | { readonly kind: "ignored"; readonly what: string; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

export type InjectedWhat =
  | "mode"
  | "rules"
  | "state"
  | "memory"
  | "restore"
  | "density"
  | "advisory"
  | "reminder"
  | "record"
  | "preservation"
  | "docs"
  | "packet"
  | "tools";

export function renderAction(action: OwnAction): string {
  return `${JSON.stringify(action)}\n`;
}

const KINDS: readonly ActionDetail["kind"][] = [
  "ran",
  "folded",
  "injected",
  "compacted",
  "note",
  "receipt",
  "signal",
  "report",
  "blocked",
  "declined",
  "ignored",
  "failed",
];

/** `undefined` for a line that is not an action, for instance a torn one. The caller counts it as skipped. */
export function parseAction(line: string): OwnAction | undefined {
  const value = parseJson(line);
  return isAction(value) ? value : undefined;
}

function isAction(value: unknown): value is OwnAction {
  if (!isObject(value) || typeof value.atMs !== "number" || typeof value.event !== "string") return false;
  if (value.kind === "signal" && !(isObject(value.signal) && typeof value.signal.mode === "string")) return false;
  if (value.kind === "receipt" && !Array.isArray(value.lost)) return false;
  return KINDS.some((kind) => kind === value.kind);
}
