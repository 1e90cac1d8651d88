import { isObject, parseJson } from "../../core/json.ts";
import type { Level } from "../../measure/level.ts";
import type { RestoreReceipt } from "../../survive/restore/restore-state.ts";
import { type DensityEvent, parseDensityEvent } from "../density/density-state.ts";

/**
 * One thing that Plimsoll did, or tried, or declined, in a live session: a line of `deeds-*.jsonl` in the session's data
 * folder. What the doctor, `stats --injections`, `receipt` and `explain` know of live sessions they know from these lines.
 */
export type Deed = DeedFrame & DeedDetail;

interface DeedFrame {
  readonly atMs: number;
  readonly door: "module" | "hook" | "codex";
  /** The client's event that it happened at. */
  readonly event: string;
  /** The client's version; empty where it does not say. */
  readonly client: string;
}

export type DeedDetail =
  /** The door was alive: how long one run took. */
  | { readonly kind: "ran"; readonly ms: number }
  | {
      readonly kind: "folded";
      readonly callId: string;
      readonly tool: string;
      readonly handle: string;
      readonly characters: number;
      readonly shownCharacters: number;
      readonly savedTokens: number;
      /** What making the preview took, without the storing; absent where nobody looked. */
      readonly ms?: number;
    }
  /** Text that we put into the window, with what it weighs in every later request. */
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
      readonly trigger: string;
      readonly tokensBefore: number;
      /** What the next request weighed. */
      readonly tokensAfter: number;
      /** No request followed it in its process: `tokensAfter` is an estimate. */
      readonly isEstimated?: boolean;
      /** Of what was put in the place of the history, by estimate; absent for the client's own summary, which its transcript holds. */
      readonly recordTokens?: number;
      readonly ms: number;
      readonly why: string;
    }
  | ({ readonly kind: "receipt" } & RestoreReceipt)
  /** The broadcast that every change of density makes: a journal is where whoever wants to hears it. */
  | { readonly kind: "signal"; readonly signal: DensityEvent }
  /** A run at a boundary of the work, or a word to the person: how the load was, and what was advised. */
  | { readonly kind: "report"; readonly why: string; readonly level: Level; readonly advised: string }
  | { readonly kind: "blocked"; readonly tool: string; readonly why: string }
  | { readonly kind: "declined"; readonly what: string; readonly why: string }
  /** The client was given an answer and went on as if it had not been: found by looking at its transcript. */
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
  | "packet";

export function renderDeed(deed: Deed): string {
  return `${JSON.stringify(deed)}\n`;
}

const KINDS: readonly DeedDetail["kind"][] = [
  "ran",
  "folded",
  "injected",
  "compacted",
  "receipt",
  "signal",
  "report",
  "blocked",
  "declined",
  "ignored",
  "failed",
];

/** A line that is no deed, a torn one for instance, is `undefined`: whoever counts, counts it as skipped. */
export function parseDeed(line: string): Deed | undefined {
  const value = parseJson(line);
  return isDeed(value) ? value : undefined;
}

function isDeed(value: unknown): value is Deed {
  if (!isObject(value) || typeof value.atMs !== "number" || typeof value.event !== "string") return false;
  if (value.kind === "signal" && parseDensityEvent(value.signal) === undefined) return false;
  if (value.kind === "receipt" && !Array.isArray(value.lost)) return false;
  return KINDS.some((kind) => kind === value.kind);
}
