import type { Message } from "../../core/message.ts";
import { renderOriginal } from "../history/originals.ts";
import type { KnownCall } from "../history/vocabulary.ts";
import type { Freshness, StaleFinding } from "./finding.ts";

/**
 * Results past their use: nothing that has been said or done since `freshFrom` names anything they name. Reads stay: a host
 * that believes the file to be in view would answer the next read with a pointer to nothing.
 */
export function findUnused(
  calls: readonly KnownCall[],
  recent: readonly Message[],
  { freshFrom }: Freshness,
): readonly StaleFinding[] {
  const named = collectNamed(recent);
  return calls.flatMap(({ call, result, exchange, message, meaning }) => {
    if (!call || !result || result.isError || exchange >= freshFrom || meaning.kind === "read") return [];
    const text = renderOriginal(result) ?? "";
    for (const [name] of text.matchAll(NAMES)) if (isCoined(name) && named.has(name)) return [];
    // Whether something is named is a matter of what follows: the reason must be true however the conversation goes on.
    return [{ block: result.id, message, why: "left out to make room", because: [] }];
  });
}

const NAMES = /[\p{L}\p{N}_$][\p{L}\p{N}_$./:@-]{2,}[\p{L}\p{N}_$]/gu;

/** Paths, identifiers and numbers: words that a sentence has by chance say nothing about a reference. */
function isCoined(name: string): boolean {
  return /[./_$\d]|\p{Ll}\p{Lu}/u.test(name);
}

/** What the model has said or asked for lately, and the person too; results are not references. */
function collectNamed(messages: readonly Message[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (const block of messages.flatMap(({ blocks }) => blocks)) {
    if (block.kind !== "text" && block.kind !== "toolCall") continue;
    for (const [name] of (renderOriginal(block) ?? "").matchAll(NAMES)) if (isCoined(name)) named.add(name);
  }
  return named;
}
