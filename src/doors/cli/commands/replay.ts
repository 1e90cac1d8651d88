import type { Command } from "../command.ts";
import { KNOWN_POLICIES } from "../replay/known-policies.ts";
import { choosePolicies, REPLAY_OPTIONS, REPLAY_PATHS, runReplay } from "../replay/run-replay.ts";

export const replayCommand: Command = {
  name: "replay",
  summary: "What your sessions would have cost with Plimsoll, and with other settings",
  positional: REPLAY_PATHS,
  options: [
    {
      name: "policies",
      value: "A,B,C",
      help: `those alone, beside native: ${[...KNOWN_POLICIES.keys()].join(", ")}`,
    },
    ...REPLAY_OPTIONS,
  ],
  examples: [
    { command: "plimsoll replay", shows: "all settings over your own sessions, the cheapest first" },
    {
      command: "plimsoll replay --policies plimsoll,clear_tool_uses --json",
      shows: "two of them beside native, for a script",
    },
    {
      command: "plimsoll replay --policies plimsoll --sessions",
      shows: "what every session would have cost, the one with the most to gain first",
    },
  ],
  async run(invocation, terminal) {
    const policies = choosePolicies(KNOWN_POLICIES, invocation.values.get("policies"));
    const plan = { module: undefined, marks: "client", isTold: true, isHeldToBill: true } as const;
    await runReplay(invocation, terminal, { policies, ...plan });
  },
};
