/** What one recorded session says about its tools. */
export interface ToolRecord {
  readonly requests: number;
  /** What the model called, subagents included. */
  readonly called: ReadonlySet<string>;
  /** What it could call: schemas in front, and names behind the tool search. */
  readonly offered: ReadonlySet<string>;
  /** The schemas in front, by the tool's name, in tokens. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** A tool that waits behind the client's tool search, and what its schema would cost in each request. */
export interface DeferredTool {
  readonly name: string;
  readonly tokens: number;
}

/** Less evidence proves nothing. Both must be reached: short sessions have few requests, and one long session is one kind of work. */
export const LEAST_EVIDENCE = { sessions: 20, requests: 500 } as const;

/** The newest records that are enough evidence together; `undefined` if all of them are not. */
export function selectEvidence(newestFirst: Iterable<ToolRecord>): readonly ToolRecord[] | undefined {
  const taken: ToolRecord[] = [];
  let requests = 0;
  for (const record of newestFirst) {
    if (record.requests === 0) continue;
    taken.push(record);
    requests += record.requests;
    if (taken.length >= LEAST_EVIDENCE.sessions && requests >= LEAST_EVIDENCE.requests) return taken;
  }
  return undefined;
}

export interface DeferralTerms {
  /** Deferred so far: their schemas are in no newer request, so their sizes are known only from here. */
  readonly before: readonly DeferredTool[];
  /** What stays in front whatever the evidence says. */
  isKept(name: string): boolean;
}

/**
 * The tools that none of these sessions called, the largest first. A built-in tool comes with the client, so that no session called it is
 * evidence. A server's tool may be new: it must have been offered to as many sessions as the evidence needs, or be deferred already.
 */
export function chooseDeferred(
  records: readonly ToolRecord[],
  { before, isKept }: DeferralTerms,
): readonly DeferredTool[] {
  const sizes = new Map(before.map(({ name, tokens }) => [name, tokens]));
  for (const record of records.toReversed()) for (const [name, tokens] of record.sizes) sizes.set(name, tokens);
  const known = new Set(before.map(({ name }) => name));
  const isDue = (name: string): boolean => {
    if (isKept(name) || records.some(({ called }) => called.has(name))) return false;
    const offers = records.filter(({ offered }) => offered.has(name)).length;
    return offers >= (isOfServer(name) && !known.has(name) ? LEAST_EVIDENCE.sessions : 1);
  };
  return [...sizes]
    .filter(([name]) => isDue(name))
    .map(([name, tokens]) => ({ name, tokens }))
    .sort((left, right) => right.tokens - left.tokens || (left.name < right.name ? -1 : 1));
}

const isOfServer = (name: string): boolean => name.startsWith("mcp__");

/** The client names tools that a plugin defers from the second request on only, so the first one names them here. */
export function renderDeferred(names: readonly string[]): string {
  if (names.length === 0) return "";
  return `Plimsoll moved these tools behind ToolSearch, because no recent session used them. Load one with ToolSearch, query "select:<name>", before you call it: ${names.join(", ")}`;
}
