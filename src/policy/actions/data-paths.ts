/** Where live sessions keep their data, below the client's configuration folder (`~/.claude` unless it was moved). */

export function locateData(configFolder: string): string {
  return `${configFolder}/data/plimsoll`;
}

/** The data folder for a user without that client. */
export function locateSpareHome({ XDG_DATA_HOME, HOME = "" }: Readonly<Record<string, string | undefined>>): string {
  return `${XDG_DATA_HOME || `${HOME}/.local/share`}/plimsoll`;
}

/** What a subscription counts, learned from the user's own readings. */
export function locateWeights(configFolder: string): string {
  return `${locateData(configFolder)}/weights.json`;
}

/** How often originals were fetched back after compactions, by project. */
export function locateRecalls(configFolder: string): string {
  return `${locateData(configFolder)}/recalls.json`;
}

/** `undefined` for an invalid id, so that a name from outside never becomes a path. */
export function locateSession(configFolder: string, sessionId: string): string | undefined {
  return /^[0-9A-Za-z][0-9A-Za-z-]{0,99}$/.test(sessionId)
    ? `${locateData(configFolder)}/sessions/${sessionId}`
    : undefined;
}

/** Files in a session's folder. Each entry point appends to its own journal, so that none can tear another's. */
export const SESSION_FILES = {
  /** The session's state, and how far its transcript was read. */
  state: "state.json",
  /** The same for the module, which follows messages and reads no transcript. */
  moduleState: "module-state.json",
  /** The state at each of the last records, because a user may rewind to one. */
  checkpoints: "checkpoints.json",
  moduleActions: "deeds-module.jsonl",
  hookActions: "deeds-hook.jsonl",
  /** One line per tool call seen by the hooks; the file's size gives their number. */
  calls: "calls.log",
  /** What to inject after a compaction, kept until it was seen to arrive. */
  pending: "pending.json",
  /** The last reading from the client: status line or `session.measure`. */
  reading: "reading.json",
  /** One line for each change of the account's limits. */
  limits: "limits.jsonl",
  /** The load that the hooks saw at the transcript's end, and how far they read. */
  load: "load.json",
  /** What was injected and is still in the window. */
  injected: "told.json",
  /** Which advice on the load was given, and which density was asked for. */
  advice: "advice.json",
  block: "block.json",
  /** A list of work during which the window filled up. */
  loop: "loop.json",
  /** When the user was last shown that a budget was passed. */
  budget: "budget.json",
  /** One line per fold, and per check whether the client kept it. */
  folds: "folds.log",
  /** The last results of each command class, if they are to be combined. */
  groups: "groups.json",
} as const;
