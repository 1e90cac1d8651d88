import type { Message, Role } from "../../core/message.ts";

/** Indices of the messages of one exchange, both included. */
export interface Exchange {
  readonly first: number;
  readonly last: number;
}

/**
 * An answer of the model with whatever follows it before the next one: results, words, reminders. What stands before the
 * first answer is an exchange of its own. Calls and their results never fall apart, because an exchange begins only where a
 * provider would close the round, too: at an assistant message after a user's.
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

/** A block that nobody understands keeps its message where it is. A result may go with its exchange, whatever its parts are: a handle fetches it. */
export function hasOpaque({ blocks }: Message): boolean {
  return blocks.some(({ kind }) => kind === "opaque");
}
