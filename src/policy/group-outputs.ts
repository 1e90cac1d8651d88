import type { GroupMember } from "../fold/fold-group.ts";
import { nameCommandClass } from "../fold/hint.ts";
import { DEFAULT_LIMITS, isWorthFolding, MEMBER_BUDGET } from "../fold/thresholds.ts";
import type { BirthFold } from "../layers/options/policy-folds.ts";

/** The last outputs of each command class that were long enough to count; the most recently used class is last. Plain data. */
export type OutputGroups = readonly { readonly name: string; readonly members: readonly GroupMember[] }[];

export interface GroupedOutput extends GroupMember {
  /** The kind of its call, in the host's vocabulary. */
  readonly kind: string;
  /** The window it goes into; empty for the main conversation. */
  readonly window: string;
}

/** Classes beyond this number are dropped: they have not been used for a while. */
const MAX_CLASSES = 8;
const EARLIER = DEFAULT_LIMITS.outputsOfOneClass - 1;

/**
 * Stores the fifth output of a command class in one artifact with the four before it. Those four stay in the conversation, because
 * changing text that was sent would rewrite the cache. Then the count starts again, so no output is stored twice.
 * `due` are the outputs that share an artifact with the new one; `undefined` if it stays whole.
 */
export function groupArrived(
  groups: OutputGroups,
  { kind, window, ...member }: GroupedOutput,
  rule: BirthFold,
): { readonly groups: OutputGroups; readonly due: readonly GroupMember[] | undefined } {
  // A file that was read is worked with next, so it stays whole.
  const isWorkedWith = !rule.kinds.includes(kind) || rule.patient?.kinds.includes(kind) === true;
  if (isWorkedWith || member.text.length < DEFAULT_LIMITS.leastCharacters) return { groups, due: undefined };
  const name = `${window}\n${nameCommandClass(member.tool ?? "", member.command)}`;
  const earlier = groups.find((group) => group.name === name)?.members ?? [];
  const others = groups.filter((group) => group.name !== name);
  const isDue = earlier.length === EARLIER && isWorthFolding(member.text, MEMBER_BUDGET);
  const members = isDue ? [] : [...earlier, member].slice(-EARLIER);
  return { groups: [...others, { name, members }].slice(-MAX_CLASSES), due: isDue ? earlier : undefined };
}
