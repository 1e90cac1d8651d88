import { measureDistance } from "../core/edit-distance.ts";
import type { Pricer } from "../core/edit-verdict.ts";
import type { Layer, Ledger, Occasion } from "../core/layer.ts";
import type { Author, Block, Message } from "../core/message.ts";
import type { AutoCompactState } from "../layers/auto-compact.ts";
import type { LayersOptions } from "../layers/catalogue.ts";
import type { NamedOriginal } from "../layers/history/originals.ts";
import { POLICY_SETTINGS, type PolicyName } from "../layers/options/policy-settings.ts";
import type { ExtractedMemory } from "../library/prompt/memory/merge-memories.ts";
import { decideModelWindow } from "../models/find-model.ts";
import { OBJECTIVES, type Objective } from "../policy/objective.ts";
import { FORMAT_NAMES, type FormatName } from "./formats.ts";

export interface CompactOptions<Messages = readonly object[]> {
  /** The load line: the most tokens that the messages may have, system prompt and tools not counted. Give this or `targetShare`. */
  readonly targetTokens?: number | undefined;
  /** The load line as a share of the window of `model`, above 0 and below 1: 0.5 is half of it. */
  readonly targetShare?: number | undefined;
  /** The newest so many tokens stay whole, as far as the line allows: nothing of them is folded or collapsed. */
  readonly keepTokens?: number | undefined;
  /** The format of these messages; the Messages API's by default. */
  readonly format?: FormatName | undefined;
  /** Blocks that must stay in the conversation unchanged. A call and its result stay together; asked on every request. */
  readonly keep?: ((block: Block) => boolean) | undefined;
  /** Tools whose calls and results stay unchanged. */
  readonly excludeTools?: readonly string[] | undefined;
  /** Who wrote a user message: reminders that your program adds are "host". Default: the person. */
  readonly decideAuthor?: ((text: string) => Author) | undefined;
  /** What earlier calls decided about this conversation. Save the returned ledger, and pass it next time. */
  readonly ledger?: Ledger | undefined;
  /**
   * When something goes below the line: results that are long as they arrive, and old exchanges as soon as keeping them has cost
   * clearly more than rewriting would. Default: "balanced". "off": nothing happens below the line.
   */
  readonly policy?: PolicyName | "off" | undefined;
  /** What the policy is to save: dollars, or tokens by the `weights` of the occasion (all equal by default). Default: dollars. */
  readonly objective?: Objective | undefined;
  /** What is known of the next request; the policy decides by it. Called on every request. */
  readonly occasion?: (() => Occasion) | undefined;
  /** Settings of the five layers. */
  readonly layers?: Omit<LayersOptions, "saved"> | undefined;
  /** Layers of your own, in addition to the five. */
  readonly ownLayers?: readonly Layer[] | undefined;
  /** The model whose tokens to estimate; newer models count more of them for the same text. */
  readonly model?: string | undefined;
  /** A counter of your own instead of the estimate. */
  readonly countTokens?: ((message: Message) => number) | undefined;
  /** Says whether an edit is worth what it costs in the prompt cache; called on every request. */
  readonly createPricer?: (() => Pricer | undefined) | undefined;
  /** Above so many tokens, price does not matter. */
  readonly mustFitTokens?: number | undefined;
  /** How far above the line compaction begins; see `PipelineOptions`. */
  readonly hysteresisTokens?: number | undefined;
  /** Called before anything leaves the conversation. If it fails, nothing leaves. */
  readonly store?: ((originals: readonly NamedOriginal[]) => void | Promise<void>) | undefined;
  /** A model, asked only if nothing cheaper brings the conversation below the line; without it no model is asked. */
  readonly summarise?: ((question: SummaryQuestion<Messages>) => Promise<string>) | undefined;
  /** Called with what a summary found worth keeping for other sessions, before the summary takes effect. */
  readonly remember?: ((memories: readonly ExtractedMemory[]) => void | Promise<void>) | undefined;
  /** What the summariser's layer learned; returned by every call. */
  readonly state?: AutoCompactState | undefined;
}

/** What to ask a model. Its answer has `<summary>` and `<memories>`, both or neither. */
export interface SummaryQuestion<Messages = readonly object[]> {
  /** The segment to be summarised, as it was sent. */
  readonly messages: Messages;
  /** The same as one text, for models that do not know the tools. */
  readonly text: string;
  readonly instructions: string;
  readonly maxOutputTokens: number;
}

/** Every option once; the compiler compares it with the type. */
const OPTIONS: Readonly<Record<keyof CompactOptions, "function" | "other">> = {
  targetTokens: "other",
  targetShare: "other",
  keepTokens: "other",
  format: "other",
  keep: "function",
  excludeTools: "other",
  decideAuthor: "function",
  ledger: "other",
  policy: "other",
  objective: "other",
  occasion: "function",
  layers: "other",
  ownLayers: "other",
  model: "other",
  countTokens: "function",
  createPricer: "function",
  mustFitTokens: "other",
  hysteresisTokens: "other",
  store: "function",
  summarise: "function",
  remember: "function",
  state: "other",
};
const LAYERS: Readonly<Record<keyof NonNullable<CompactOptions["layers"]>, true>> = {
  vocabulary: true,
  sha256: true,
  foldOutputs: true,
  clearStale: true,
  autoCompact: true,
  collapseExchanges: true,
};

export interface CheckedOptions extends CompactOptions {
  readonly targetTokens: number;
}

/** `ownNames`: an adapter's options in addition to those of `compact`. */
export function checkOptions(options: CompactOptions, ownNames: readonly string[] = []): CheckedOptions {
  const { ledger, ownLayers, excludeTools, keepTokens } = options ?? {};
  const targetTokens = decideLine(options ?? {});
  if (keepTokens !== undefined && !(keepTokens >= 0 && keepTokens < targetTokens))
    throw new TypeError(
      `keepTokens must be below the load line (${targetTokens}), not ${String(keepTokens)}: it is how much of the end stays whole`,
    );
  requireKnown("option", Object.keys(options), [...Object.keys(OPTIONS), ...ownNames]);
  requireKnown("layers option", Object.keys(options.layers ?? {}), Object.keys(LAYERS));
  if (ledger !== undefined && !Array.isArray(ledger.decisions))
    throw new TypeError("ledger must be the ledger that an earlier call returned: leave it out for a new conversation");
  if (ownLayers !== undefined && !Array.isArray(ownLayers))
    throw new TypeError("ownLayers must be a list of layers: wrap a single layer in brackets");
  if (excludeTools !== undefined && !Array.isArray(excludeTools))
    throw new TypeError("excludeTools must be a list of tool names: wrap a single name in brackets");
  requireOneOf("format", options.format, FORMAT_NAMES);
  requireOneOf("policy", options.policy, [...Object.keys(POLICY_SETTINGS), "off"]);
  requireOneOf("objective", options.objective, OBJECTIVES);
  const functions = Object.entries(OPTIONS).flatMap(([name, kind]) => (kind === "function" ? [name] : []));
  for (const [name, value] of Object.entries(options))
    if (functions.includes(name) && value !== undefined && typeof value !== "function")
      throw new TypeError(`${name} must be a function: leave the option out if you do not need it`);
  return { ...options, targetTokens };
}

function requireOneOf(name: string, value: string | undefined, known: readonly string[]): void {
  if (value !== undefined && !known.includes(value))
    throw new TypeError(`${name} must be one of ${known.join(", ")}, not ${String(value)}`);
}

function decideLine({ targetTokens, targetShare, model = "" }: CompactOptions): number {
  if (targetShare === undefined || targetTokens !== undefined) {
    if (typeof targetTokens === "number" && targetTokens > 0 && targetShare === undefined) return targetTokens;
    throw new TypeError(
      `targetTokens must be the most tokens that the messages may have, not ${String(targetTokens)}: pass a number such as 100_000, or targetShare with a model`,
    );
  }
  if (!(typeof targetShare === "number" && targetShare > 0 && targetShare < 1))
    throw new TypeError(
      `targetShare must be above 0 and below 1, not ${String(targetShare)}: 0.5 is half of the window`,
    );
  const { windowTokens, standing } = decideModelWindow(model);
  if (standing === "assumed")
    throw new TypeError(`targetShare needs a model whose window is known, not "${model}": pass targetTokens`);
  return Math.floor(windowTokens * targetShare);
}

/** With at most this share of wrong letters a name is a typo, not another word. */
const SLIP_SHARE = 0.4;

/** An unknown option would do nothing, so it is reported with the nearest known one. */
function requireKnown(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [nearest] = known
    .map((name) => ({ name, distance: measureDistance(unknown.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const hint =
    nearest && nearest.distance <= unknown.length * SLIP_SHARE
      ? `did you mean ${nearest.name}?`
      : `the known names are ${known.join(", ")}`;
  throw new TypeError(`unknown ${what} "${unknown}": ${hint}`);
}
