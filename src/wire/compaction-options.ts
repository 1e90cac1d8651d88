import type { Pricer } from "../core/edit-verdict.ts";
import type { Layer } from "../core/layer.ts";
import type { Ledger } from "../core/ledger.ts";
import type { Message } from "../core/message.ts";
import type { Occasion } from "../core/occasion.ts";
import type { AutoCompactState } from "../layers/auto-compact.ts";
import type { LayersOptions } from "../layers/catalogue.ts";
import type { Original } from "../layers/history/originals.ts";
import { POLICY_SETTINGS, type PolicyName } from "../layers/options/policy-settings.ts";
import { OBJECTIVES, type Objective } from "../policy/objective.ts";
import type { WireMessage } from "./conversation.ts";

export interface CompactionOptions<Messages = readonly WireMessage[]> {
  /** The load line: what the messages may weigh, system prompt and tools not counted. */
  readonly targetTokens: number;
  /** What earlier calls decided about this conversation. Save what comes back, and pass it next time. */
  readonly ledger?: Ledger;
  /**
   * The policy that `plimsoll replay` measures, in place of waiting for the line: fold at birth, and collapse as soon as carrying
   * has cost what rewriting costs. Below the line nothing happens without it.
   */
  readonly policy?: PolicyName;
  /** What the policy is to save: dollars, or tokens by the `weights` of the occasion, all alike without any. Dollars unless told. */
  readonly objective?: Objective;
  /** What is known of the request that is about to be made; the policy decides by it. Asked anew on every call. */
  readonly occasion?: () => Occasion;
  /** Settings of the five layers. */
  readonly layers?: Omit<LayersOptions, "saved">;
  /** Layers of your own, beside the five. */
  readonly ownLayers?: readonly Layer[];
  /** Whose tokens to estimate; the newer models count more of them for the same text. */
  readonly model?: string;
  /** A counter of your own in the place of the estimate. */
  readonly countTokens?: (message: Message) => number;
  /** Says whether an edit is worth what it costs in the prompt cache; asked for anew on every call. */
  readonly createPricer?: () => Pricer | undefined;
  /** Above so many tokens price does not matter. */
  readonly mustFitTokens?: number;
  /** How far above the line it takes to begin; see `PipelineOptions`. */
  readonly hysteresisTokens?: number;
  /** Called before anything leaves the conversation. Where it fails, nothing leaves. */
  readonly store?: (originals: readonly Original[]) => void | Promise<void>;
  /** A model, asked only when nothing cheaper brings the conversation below the line; without it none ever is. */
  readonly summarise?: (question: SummaryQuestion<Messages>) => Promise<string>;
  /** Called with what a summary found worth keeping for other sessions, before the summary takes effect. */
  readonly remember?: (memories: readonly string[]) => void | Promise<void>;
  /** What the summariser's layer learned; comes back with every call. */
  readonly state?: AutoCompactState;
}

/** What to ask a model. Its answer holds `<summary>` and `<memories>`, both or neither. */
export interface SummaryQuestion<Messages = readonly WireMessage[]> {
  /** The stretch to be summarised, as it was sent. */
  readonly messages: Messages;
  /** The same as one text, for models that do not know the tools. */
  readonly text: string;
  readonly instructions: string;
  readonly maxOutputTokens: number;
}

const FUNCTIONS = ["countTokens", "occasion", "createPricer", "store", "summarise", "remember"] as const;

export function requireCompactionOptions(options: CompactionOptions): void {
  const { targetTokens, ledger, ownLayers } = options ?? {};
  if (!(typeof targetTokens === "number" && targetTokens > 0))
    throw new TypeError(
      `targetTokens must be the tokens that the messages may weigh, not ${String(targetTokens)}: pass a number such as 100_000`,
    );
  if (ledger !== undefined && !Array.isArray(ledger.decisions))
    throw new TypeError("ledger must be what an earlier call gave back: leave it out for a new conversation");
  if (ownLayers !== undefined && !Array.isArray(ownLayers))
    throw new TypeError("ownLayers must be a list of layers: put a single one into brackets");
  if (options.policy !== undefined && !Object.hasOwn(POLICY_SETTINGS, options.policy))
    throw new TypeError(
      `policy must be one of ${Object.keys(POLICY_SETTINGS).join(", ")}, not ${String(options.policy)}`,
    );
  if (options.objective !== undefined && !OBJECTIVES.includes(options.objective))
    throw new TypeError(`objective must be one of ${OBJECTIVES.join(", ")}, not ${String(options.objective)}`);
  for (const name of FUNCTIONS)
    if (options[name] !== undefined && typeof options[name] !== "function")
      throw new TypeError(`${name} must be a function: leave it out to do without`);
}
