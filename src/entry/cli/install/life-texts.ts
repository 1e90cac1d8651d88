import { isObject } from "../../../core/json.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { PROPOSED_CACHE_LIFE, type SetCacheLife } from "../../../replay/policy-names.ts";
import type { Terminal } from "../command.ts";
import type { OwnText } from "./plan-settings.ts";
import { locateSettings } from "./settings-file.ts";

const set = (text: string, ...path: readonly string[]): OwnText => ({ path, text, isListed: false });
/** A subagent works without breaks, so a cache of an hour would only cost more. */
const SUBAGENTS = set("5m", "subagentPromptCacheTtl");

/** Each cache lifetime in Claude Code's settings. The variable for messages can only shorten what the setting gives to all. */
export const LIFE_TEXTS: Readonly<Record<SetCacheLife, readonly OwnText[]>> = {
  "5m": [set("5m", "promptCacheTtl"), SUBAGENTS],
  "1h": [set("1h", "promptCacheTtl"), SUBAGENTS],
  "1h+5m": [set("1h", "promptCacheTtl"), set("5m", "env", "CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL"), SUBAGENTS],
};

/** Whether the client's settings or its environment already say how long its cache lives. */
export function hasCacheLife(environment: Terminal["environment"]): boolean {
  const { user } = locateSettings({ environment, directory: "" });
  const settings = readObject(user) ?? {};
  const isSet = LIFE_TEXTS[PROPOSED_CACHE_LIFE].some(({ path }) => {
    const [first = "", second] = path;
    const found = settings[first];
    return second === undefined ? found !== undefined : isObject(found) && found[second] !== undefined;
  });
  return isSet || environment.CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL !== undefined;
}
