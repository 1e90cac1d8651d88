/** Where live sessions keep what they know, below the client's own configuration folder (`~/.claude` unless it was moved). */

export function locateData(configFolder: string): string {
  return `${configFolder}/data/plimsoll`;
}

/** The same for somebody without that client: where programs keep their data. */
export function locateSpareHome({ XDG_DATA_HOME, HOME = "" }: Readonly<Record<string, string | undefined>>): string {
  return `${XDG_DATA_HOME || `${HOME}/.local/share`}/plimsoll`;
}

/** What the person's own readings have shown a subscription to count. */
export function locateWeights(configFolder: string): string {
  return `${locateData(configFolder)}/weights.json`;
}

/** `undefined` for an id that is not one: a name from outside never becomes a path. */
export function locateSession(configFolder: string, sessionId: string): string | undefined {
  return /^[0-9A-Za-z][0-9A-Za-z-]{0,99}$/.test(sessionId)
    ? `${locateData(configFolder)}/sessions/${sessionId}`
    : undefined;
}

/** Files of one session's folder. Each door appends to a journal of its own, so that neither can tear the other's. */
export const SESSION_FILES = {
  /** What the session has come to, and how far its transcript was read. */
  state: "state.json",
  /** The same for the module, which follows rows and reads no transcript. */
  moduleState: "module-state.json",
  /** What was known when each of the last records was written: a person may rewind to one. */
  checkpoints: "checkpoints.json",
  moduleDeeds: "deeds-module.jsonl",
  hookDeeds: "deeds-hook.jsonl",
  /** A line per tool call seen by the hooks: its size is their number. */
  calls: "calls.log",
  /** What waits to be injected after a compaction until it is seen to have landed. */
  pending: "pending.json",
  /** The last reading pushed by the client: status line or `session.measure`. */
  reading: "reading.json",
  /** A line for each time that the account's limits had moved. */
  limits: "limits.jsonl",
  /** What the hooks saw of the load at the transcript's end, and how far they looked. */
  load: "load.json",
  /** What was told and stands in the window. */
  told: "told.json",
  /** What was said to the model of the load, and what density it was asked for. */
  advice: "advice.json",
  /** Refusals at RED. */
  block: "block.json",
  /** A list of work that met a full window in its middle. */
  loop: "loop.json",
  /** When it was last shown which budget had been passed. */
  budget: "budget.json",
  /** A line per fold, and per look at whether the client kept it. */
  folds: "folds.log",
  /** The last results of each command class, where they are to be combined. */
  groups: "groups.json",
} as const;
