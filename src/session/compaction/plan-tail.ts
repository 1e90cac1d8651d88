/** One message of a history that is about to be compacted, as far as the cut needs to know it. */
export interface TailMessage {
  readonly role: "user" | "assistant";
  readonly tokens: number;
  /** Calls it makes. */
  readonly calls: readonly string[];
  /** Calls it brings the results of. */
  readonly results: readonly string[];
}

export interface TailOptions {
  /** What the tail may weigh; the last exchange stays whatever it weighs. */
  readonly maxTokens: number;
  /** So many answers of the model stay if there is room. */
  readonly answers?: number;
}

/** What was done last is what the next step stands on: below this the model has to guess what it was doing. */
const MAX_ANSWERS = 40;

/**
 * The index from which a history stays word for word: as far back as the budget reaches, never so that a result loses its
 * call. The last answer with its results stays in any case, because the next request continues it.
 */
export function planTail(messages: readonly TailMessage[], options: TailOptions): number {
  const { maxTokens, answers = MAX_ANSWERS } = options;
  const reach = findReach(messages);
  const isWhole = (from: number): boolean => (reach[from] ?? from) >= from;
  let best = findLastExchange(messages, isWhole);
  let tokens = sum(messages, best);
  let seen = messages.slice(best).filter(({ role }) => role === "assistant").length;
  for (let index = best - 1; index >= 0; index--) {
    const message = messages[index];
    if (!message) break;
    tokens += message.tokens;
    if (message.role === "assistant") seen++;
    if (tokens > maxTokens || seen > answers) break;
    if (isWhole(index)) best = index;
  }
  return best;
}

/** The last answer of the model and all that follows it; with several calls at once it comes in several messages. */
function findLastExchange(messages: readonly TailMessage[], isWhole: (from: number) => boolean): number {
  let index = messages.length - 1;
  while (index > 0 && messages[index]?.role !== "assistant") index--;
  while (index > 0 && !isWhole(index)) index--;
  return Math.max(0, index);
}

/** For every index, how far back the calls lie whose results come from there on. A result without any call reaches nowhere. */
function findReach(messages: readonly TailMessage[]): readonly number[] {
  const callAt = new Map<string, number>();
  for (const [index, { calls }] of messages.entries()) for (const call of calls) callAt.set(call, index);
  const reach = new Array<number>(messages.length);
  let furthest = Number.POSITIVE_INFINITY;
  for (let index = messages.length - 1; index >= 0; index--) {
    for (const call of messages[index]?.results ?? [])
      furthest = Math.min(furthest, callAt.get(call) ?? Number.POSITIVE_INFINITY);
    reach[index] = furthest;
  }
  return reach;
}

function sum(messages: readonly TailMessage[], from: number): number {
  return messages.slice(from).reduce((total, { tokens }) => total + tokens, 0);
}
