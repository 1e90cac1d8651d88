import { CliError, suggest } from "../../src/entry/cli/command.ts";
import type { LoadedPolicy } from "../replay/load-policies.ts";
import type { NamedPlan } from "./make-reading.ts";

/** What people call them here, and what the replay calls them. */
const ALIASES: Readonly<Record<string, string>> = {
  client: "native",
  cautious: "plimsoll:cautious",
  thrifty: "plimsoll:thrifty",
  "no-record": "plimsoll",
};

export const DEFAULT_MEMORIES = "client,plimsoll,cautious,no-record";

/** Which memories are to be made: the named policies, each under its own name or, for another build's, under the one given. */
export function planMemories(
  given: string,
  known: ReadonlyMap<string, LoadedPolicy>,
  rename: string | undefined,
): readonly NamedPlan[] {
  const names = [...new Set(given.split(",").map((name) => name.trim()))].filter((name) => name !== "");
  if (names.length === 0) throw new CliError(`--policies is empty: pass some of ${DEFAULT_MEMORIES}`);
  if (rename !== undefined && !/^[\w.-]{1,40}$/.test(rename))
    throw new CliError(`--name takes letters, digits, . _ and -, not "${rename}"`);
  return names.map((name) => {
    const loaded = known.get(ALIASES[name] ?? name);
    if (!loaded) throw unknownPolicy(name, [...Object.keys(ALIASES), ...known.keys()]);
    if ("open" in loaded.policy) throw new CliError(`"${name}" is a door: a reading is made of policies`);
    const own = name.replace(/[^\w.-]/g, "-");
    const shown = rename === undefined ? own : names.length === 1 ? rename : `${rename}-${own}`;
    return { name: shown, policy: loaded.policy, isWithoutRecord: name === "no-record" };
  });
}

function unknownPolicy(name: string, known: readonly string[]): CliError {
  const nearest = suggest(name, known);
  const hint = nearest ? `did you mean ${nearest}?` : `there are ${known.join(", ")}`;
  return new CliError(`there is no policy "${name}": ${hint}`);
}
