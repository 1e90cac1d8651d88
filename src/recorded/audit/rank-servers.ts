/** A server with what it costs and what it is used for. */
export interface ServerUse {
  readonly name: string;
  readonly tools: number;
  /** In every request, as the client loads it here. */
  readonly tokens: number;
  readonly calls: number;
  /** Recorded sessions that called it. */
  readonly sessions: number;
}

/** Most tools and least use first: by tools for every call, then by tokens. */
export function rankServers<T extends ServerUse>(servers: readonly T[]): readonly T[] {
  const weight = ({ tools, calls }: T): number => tools / (1 + calls);
  return [...servers].sort(
    (left, right) => weight(right) - weight(left) || right.tokens - left.tokens || (left.name < right.name ? -1 : 1),
  );
}

export type ServerAdvice = "disable" | "scope" | "keep";

/** Used in fewer sessions than this, a server belongs into the projects that need it. */
const RARE_SHARE = 0.1;

/** `undefined` use is no use: without recorded sessions nothing is known, and nothing is advised against. */
export function adviseServer({ calls, sessions }: ServerUse, recordedSessions: number): ServerAdvice {
  if (recordedSessions === 0) return "keep";
  if (calls === 0) return "disable";
  return sessions < recordedSessions * RARE_SHARE ? "scope" : "keep";
}
