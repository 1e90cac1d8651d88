import type { GroupMember } from "../fold/fold-group.ts";
import { nameCommandClass } from "../fold/plan-fold.ts";
import { DEFAULT_LIMITS, isWorthFolding, MEMBER_BUDGET } from "../fold/thresholds.ts";
import type { BirthFold } from "../layers/options/birth-fold.ts";

/** The last outputs of each command class that were long enough to count, the class heard of last at the end. Plain data. */
export type OutputGroups = readonly OutputGroup[];

interface OutputGroup {
  readonly name: string;
  readonly members: readonly GroupMember[];
}

/** An output that is not folded by itself. */
export interface GroupedOutput extends GroupMember {
  /** What its call was, as the host's vocabulary names it. */
  readonly kind: string;
  /** Whose window it goes into; empty for the main conversation. */
  readonly window: string;
}

export interface GroupStep {
  readonly groups: OutputGroups;
  /** The outputs that the new one shares an artifact with; `undefined` where it stays whole. */
  readonly due: readonly GroupMember[] | undefined;
}

/** Others have not been asked for in a while. */
const MAX_CLASSES = 8;
const EARLIER = DEFAULT_LIMITS.outputsOfOneClass - 1;

/** Whether an output counts: what was read is worked with next, and stays whole. */
function mayBeGrouped(text: string, kind: string, rule: BirthFold): boolean {
  const isWorkedWith = !rule.kinds.includes(kind) || rule.patient?.kinds.includes(kind) === true;
  return !isWorkedWith && text.length >= DEFAULT_LIMITS.leastCharacters;
}

/**
 * The fifth output of a command class is stored in one artifact with the four before it, which stay in the conversation as they are: they were
 * sent, and taking them back would write the cache anew. Then the count begins again: no output is stored twice.
 */
export function groupArrived(
  groups: OutputGroups,
  { kind, window, ...member }: GroupedOutput,
  rule: BirthFold,
): GroupStep {
  if (!mayBeGrouped(member.text, kind, rule)) return { groups, due: undefined };
  const name = `${window}\n${nameCommandClass(member.tool ?? "", member.command)}`;
  const earlier = groups.find((group) => group.name === name)?.members ?? [];
  const others = groups.filter((group) => group.name !== name);
  const isDue = earlier.length === EARLIER && isWorthFolding(member.text, MEMBER_BUDGET);
  const members = isDue ? [] : [...earlier, member].slice(-EARLIER);
  return { groups: [...others, { name, members }].slice(-MAX_CLASSES), due: isDue ? earlier : undefined };
}
