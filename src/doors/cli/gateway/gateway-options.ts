import type { PolicyName } from "../../../layers/options/policy-settings.ts";
import type { BaseLife, CompactionSetting } from "../../gateway/prepare-request.ts";
import type { Option } from "../command.ts";

export const DEFAULT_UPSTREAM = "https://api.anthropic.com";

export const COMPACTIONS: readonly CompactionSetting[] = ["pass", "trim", "answer"];

export const POLICY_NAMES: readonly (PolicyName | "off")[] = ["thrifty", "balanced", "cautious", "off"];

export const BASE_LIVES: readonly BaseLife[] = ["price", "1h", "client"];

/** What `plimsoll gateway` and `plimsoll run` have in common. */
export const GATEWAY_OPTIONS: readonly Option[] = [
  { name: "upstream", value: "URL", help: `the API behind it (${DEFAULT_UPSTREAM} by default)` },
  {
    name: "store",
    value: "WHERE",
    help: "the folder, or postgres://..., that instances share (a folder of yours by default)",
  },
  { name: "line", value: "TOKENS", help: "what a request may weigh at most (decided by price by default)" },
  {
    name: "policy",
    value: "NAME",
    help: "how far old results leave a conversation (balanced by default); off: only what must, to fit",
    choices: POLICY_NAMES,
  },
  {
    name: "base-life",
    value: "HOW",
    help: "how long system prompt and tools are cached once something has left: by price, 1h, or as the client has it",
    choices: BASE_LIVES,
  },
  {
    name: "compaction",
    value: "HOW",
    help: "the client's own compactions: passed on, trimmed first, or answered here without a model",
    choices: COMPACTIONS,
  },
];
