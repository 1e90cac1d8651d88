import { plainVocabulary } from "../../src/layers/history/vocabulary.ts";
import type { LedgerStyle } from "../../src/layers/ledger/describe-call.ts";

/** A ledger of an unknown host, with the same room for every kind of words. */
export function ledgerStyle(characters: number, more: Partial<LedgerStyle> = {}): LedgerStyle {
  return {
    vocabulary: plainVocabulary,
    wordsCharacters: characters,
    oldWordsCharacters: characters,
    answerCharacters: characters,
    briefCharacters: characters,
    planCharacters: characters,
    ...more,
  };
}
