import { sliceWhole } from "../core/clip-text.ts";
import type { Occasion } from "../core/layer.ts";
import { decideCollapse, MOST_IN_VAIN } from "../layers/ledger/decide-collapse.ts";
import { POLICY_SETTINGS } from "../layers/options/policy-settings.ts";
import { estimateTextTokens } from "../models/tokens.ts";
import type { Carried, DueSettings } from "./collapse-due.ts";
import { chooseWeights } from "./objective.ts";
import type { Settings } from "./settings/settings.ts";

/** What a model itself says of its work shortly before a compaction: what no rule can know. Longer notes are cut. */
export const NOTE_TOKENS = 600;
export const NOTE_HEADING = "## Note in the model's own words";

const PROMPT = `Do not use tools and do not deliberate. The older part of this conversation will soon be replaced by a record of files, commands, results, tasks and the user's words. Write the note that the record cannot: at most 400 words, plain lines, no headings, for the agent that continues this work.
- why the work is done, and what was decided and why
- what was tried and dropped, and why
- standing rules that hold for the rest
- facts, names and numbers that matter for what is left
- what was wrong in earlier claims
- what comes next, and what not to do
Leave out what you do not know. If an earlier note is in view under "${NOTE_HEADING.slice(3)}", continue it: keep what still holds, correct what does not.`;

/** The question that a model is asked over its own conversation. `wish`: what the user wants kept in mind. */
export function renderNotePrompt(wish = ""): string {
  return wish === "" ? PROMPT : `${PROMPT}\nKeep in mind: ${wish}`;
}

/** The answer as part of the record: cut, and such that it reads as nothing else. It may hold anything. */
export function renderNote(answer: string, { isEarlier = false }: { readonly isEarlier?: boolean } = {}): string {
  const lines = cutNote(disarm(answer)).split("\n");
  const text = lines.map((line) => `> ${line}`.trimEnd()).join("\n");
  const when = isEarlier ? "before an earlier compaction" : "shortly before this compaction";
  return text === ">"
    ? ""
    : `${NOTE_HEADING}\nWritten by the model ${when}, and not checked: where the record or a result says something else, that counts.\n${text}`;
}

/** Tags, handles and characters that a client, an API or our own readers could take for theirs. */
function disarm(answer: string): string {
  return answer
    .replace(/\p{Surrogate}/gu, "")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .replace(/<(?=[/!?]?[a-z])/gi, "‹")
    .replace(/plimsoll:(?=[0-9a-f])/gi, "plimsoll: ")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

/** At the end of a line or a sentence, if there is one in the second half. */
function cutNote(text: string): string {
  const tokens = estimateTextTokens(text, "dense");
  if (tokens <= NOTE_TOKENS) return text;
  const room = Math.floor((text.length * NOTE_TOKENS) / tokens);
  const cut = sliceWhole(text, room);
  const end = Math.max(cut.lastIndexOf("\n"), cut.lastIndexOf(". ") + 1);
  return `${end > room / 2 ? cut.slice(0, end) : cut}\n[cut]`;
}

/** A note is asked for when a compaction would be due with so much less patience: some requests ahead of it. */
const AHEAD = 0.85;
/** The same for the lines at which a compaction comes whatever it costs. */
const NEAR_LINE = 0.9;

/** Whether a compaction is close, and the conversation still cached: then a note costs one cached read and its output. */
export function isNoteDue(carried: Carried, settings: DueSettings & Pick<Settings, "hasNote">): boolean {
  const { contextTokens, compactionPointTokens, occasion, load } = carried;
  const { hasNote, compaction, lineTokens, early, policy, objective } = settings;
  if (!hasNote || compaction !== "instant" || occasion.isCold) return false;
  if (contextTokens >= NEAR_LINE * Math.min(lineTokens ?? compactionPointTokens, compactionPointTokens)) return true;
  if (early !== "price") return false;
  const { patience, mostInVain = MOST_IN_VAIN, ...rule } = POLICY_SETTINGS[policy];
  const ahead = { ...rule, patience: patience * AHEAD, mostInVain: mostInVain / AHEAD };
  return decideCollapse(load, { ...occasion, weights: chooseWeights(objective, occasion.weights) }, ahead).isDue;
}

/** What a note takes: the whole conversation out of the cache, and its own text. */
export function describeNoteCost(contextTokens: number): NonNullable<Occasion["question"]> {
  return { readTokens: contextTokens, outputTokens: NOTE_TOKENS };
}
