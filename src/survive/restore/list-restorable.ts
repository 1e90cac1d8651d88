import type { Fact } from "../receipt/fact.ts";
import { listFacts } from "../receipt/list-facts.ts";
import type { Happened } from "../record/continuation.ts";

export interface RestorableOptions {
  /** The project's folder. */
  readonly root: string;
  /** The host's own words, which stand in its reminders and are nobody's names. */
  readonly hostWords?: readonly string[];
}

/** The facts worth putting back. A name that is a part of the project's own path is no news to anybody. */
export function listRestorable(happened: Happened, { root, hostWords = [] }: RestorableOptions): readonly Fact[] {
  return listFacts(happened, { root }).filter(
    (fact) => fact.kind !== "identifier" || !(root.includes(fact.term) || hostWords.includes(fact.term)),
  );
}
