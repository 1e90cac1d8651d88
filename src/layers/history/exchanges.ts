import type { Message, Role } from "../../core/message.ts";

/** Message indices, inclusive. */
export interface Exchange {
  readonly first: number;
  readonly last: number;
}

/**
 * A model's answer with everything up to the next one: results, words, reminders. Messages before the first answer form an exchange of
 * their own. Calls and their results are never separated, because an exchange begins only where a provider would close the round too: at an
 * assistant message after a user message.
 */
export function splitExchanges(messages: readonly Message[]): readonly Exchange[] {
  const starts: number[] = [];
  let previous: Role | undefined;
  for (const [index, { role }] of messages.entries()) {
    if (index === 0 || (role === "assistant" && previous === "user")) starts.push(index);
    if (role !== "system") previous = role;
  }
  return starts.map((first, order) => ({ first, last: (starts[order + 1] ?? messages.length) - 1 }));
}

/** A block we do not understand keeps its message in place. A result may leave with its exchange whatever its parts are: a handle fetches it. */
export function hasOpaque({ blocks }: Message): boolean {
  return blocks.some(({ kind }) => kind === "opaque");
}
