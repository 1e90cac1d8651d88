import { type Command, defineCommand } from "../command.ts";
import { KNOWN_POLICIES } from "../replay/replay-file.ts";
import { choosePolicies, REPLAY_OPTIONS, REPLAY_PATHS, runReplay } from "../replay/run-replay.ts";

export const replayCommand: Command = defineCommand({
  name: "replay",
  summary: "Calculates what your sessions would have cost with Plimsoll and with other settings",
  positional: REPLAY_PATHS,
  options: [
    {
      name: "policies",
      value: "A,B,C",
      help: `compare only these with native: ${[...KNOWN_POLICIES.keys()].join(", ")}`,
    },
    ...REPLAY_OPTIONS,
  ],
  examples: [
    { command: "plimsoll replay", shows: "compares all settings on your own sessions, cheapest first" },
    {
      command: "plimsoll replay --policies plimsoll,clear_tool_uses --json",
      shows: "compares two of them with native, and prints JSON",
    },
    {
      command: "plimsoll replay --policies plimsoll --sessions",
      shows: "also lists what each session would have cost, largest saving first",
    },
  ],
  async run(invocation, terminal) {
    const policies = choosePolicies(KNOWN_POLICIES, invocation.values.get("policies"));
    const plan = { module: undefined, marks: "client", isTold: true, isHeldToBill: true } as const;
    await runReplay(invocation, terminal, { policies, ...plan });
  },
});
