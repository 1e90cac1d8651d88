import fc from "fast-check";
import type { CachedPrefix } from "../../src/models/economics/cache-state.ts";
import type { EditTerms, SizedEdit } from "../../src/models/economics/price-edit.ts";

/** Opus 5: a million input tokens for $5, read for $0.50, written for $6.25 or $10. */
const OPUS = "claude-opus-5";

/** A warm conversation of 100,000 tokens whose every place can be read up to; nothing else is known unless a test says so. */
export function terms(
  given: Partial<Omit<EditTerms, "prefix">> & { readonly prefix?: Partial<CachedPrefix> } = {},
): EditTerms {
  const { prefix, ...rest } = given;
  return {
    model: OPUS,
    contextTokens: 100_000,
    share1h: 0,
    expectedRequests: 20,
    ...rest,
    prefix: { warmTokens: 100_000, baseTokens: 0, reachFromTokens: 0, minimumTokens: 0, ...prefix },
  };
}

/** An edit that nobody fetches again unless a test says so. */
export function edit(positionTokens: number, savedTokens: number, more: Partial<SizedEdit> = {}): SizedEdit {
  return { positionTokens, savedTokens, recoveryShare: 0, ...more };
}

/** Edits that do not overlap, from the beginning to the end of a conversation. */
export const arbitrarySizedEdits: fc.Arbitrary<readonly SizedEdit[]> = fc
  .array(
    fc.record({
      gapTokens: fc.nat(20_000),
      savedTokens: fc.nat(20_000),
      recoveryShare: fc.constantFrom(0, 0, 0.05, 0.5, 1),
      waitedRequests: fc.nat(50),
    }),
    { maxLength: 7 },
  )
  .map((drafts) => {
    let end = 0;
    return drafts.map(({ gapTokens, ...draft }) => {
      const positionTokens = end + gapTokens;
      end = positionTokens + draft.savedTokens;
      return { ...draft, positionTokens };
    });
  });

export const arbitraryTerms: fc.Arbitrary<EditTerms> = fc
  .record({
    model: fc.constantFrom(OPUS, "claude-opus-5-5", "claude-haiku-5-5", "gpt-6"),
    contextTokens: fc.integer({ min: 1, max: 200_000 }),
    share1h: fc.constantFrom(0, 0.5, 1),
    expectedRequests: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }),
    warmTokens: fc.nat(200_000),
    baseTokens: fc.nat(20_000),
    reachFromTokens: fc.constantFrom(0, 50_000, 100_000),
    minimumTokens: fc.constantFrom(0, 1024, 4096),
  })
  .map(({ warmTokens, baseTokens, reachFromTokens, minimumTokens, ...rest }) => ({
    ...rest,
    prefix: { warmTokens, baseTokens, reachFromTokens, minimumTokens },
  }));
