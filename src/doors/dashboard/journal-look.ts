import { isObject } from "../../core/json-fields.ts";
import type { Injected } from "../../policy/injection/price-injections.ts";
import type { ReadDeeds } from "../../recorded/read-deeds.ts";

/** What the dashboard keeps of a session's journals over all sessions: what Plimsoll itself put in. */
export interface JournalLook {
  readonly injected: readonly Injected[];
}

export const emptyJournalLook: JournalLook = { injected: [] };

export function lookAtJournal({ deeds }: ReadDeeds): JournalLook {
  return {
    injected: deeds.flatMap((deed): readonly Injected[] => {
      if (deed.kind !== "injected") return [];
      const { what, atMs, characters, tokens, model } = deed;
      return [{ what, atMs, characters, tokens, model }];
    }),
  };
}

export function isJournalLook(value: unknown): value is JournalLook {
  return isObject(value) && Array.isArray(value.injected);
}
