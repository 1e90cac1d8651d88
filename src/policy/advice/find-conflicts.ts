import type { Claim } from "./parse-claim.ts";

/** One subject on which sources disagree. Every claim stays: which of them holds is not ours to say. */
export interface Conflict {
  readonly subject: string;
  readonly claims: readonly Claim[];
}

/** The subjects on which two different sources contradict each other, in the order in which they come up. */
export function findConflicts(claims: readonly Claim[]): readonly Conflict[] {
  const bySubject = new Map<string, Claim[]>();
  for (const claim of claims) {
    const known = bySubject.get(claim.subject);
    if (known) known.push(claim);
    else bySubject.set(claim.subject, [claim]);
  }
  return [...bySubject].flatMap(([subject, about]) => {
    const disputed = about.filter((claim) => about.some((other) => contradict(claim, other)));
    return disputed.length > 0 ? [{ subject, claims: disputed }] : [];
  });
}

/** Both sides in their own words, under a flag. */
export function renderConflicts(conflicts: readonly Conflict[]): string {
  return conflicts
    .flatMap(({ subject, claims }) => [
      `CONFLICT on "${subject}": sources disagree, none was picked; ask which one holds.`,
      ...claims.map(({ source, text }) => `- ${source}: ${text}`),
    ])
    .join("\n");
}

/** Two values for one thing, or yes and no to the same thing. Two refusals of different things agree. */
function contradict(left: Claim, right: Claim): boolean {
  if (left.source === right.source) return false;
  if (left.isNegated !== right.isNegated) return left.value === right.value;
  return !left.isNegated && left.value !== right.value;
}
