/** Agents in which only the gateway can compact, by their title, with the command of a run through it. The page reads this, so it imports nothing. */
export const THROUGH_GATEWAY: Readonly<Record<string, string>> = {
  Codex: "plimsoll run --compaction answer -- codex",
};
