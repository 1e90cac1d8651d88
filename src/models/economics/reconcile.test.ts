import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepFreeze, editsOf } from "../../../test/support/build.ts";
import { tries } from "../../../test/support/depth.ts";
import { arbitrarySizedEdits, arbitraryTerms, edit, terms } from "../../../test/support/edit-terms.ts";
import { usage } from "../../../test/support/session-events.ts";
import { type AccountOccasion, type EditAccount, emptyAccount, recordMade } from "./account.ts";
import { type DecideOptions, decideEdits } from "./decide-edits.ts";
import { type EditTerms, priceEdits, type SizedEdit } from "./price-edit.ts";
import { type LaterRequest, reconcile } from "./reconcile.ts";

const MODEL = "claude-opus-5";
const occasion: AccountOccasion = { request: 5, model: MODEL, warmTokens: 100_000, share1h: 0 };

function record(
  proposals: readonly SizedEdit[],
  given: EditTerms & Partial<DecideOptions>,
  at: AccountOccasion,
): EditAccount {
  const verdicts = decideEdits(proposals, { moment: "boundary", ...given });
  const priced = verdicts.map((verdict, index) => ({
    edit: { ...editsOf([]).replaceBlock(`b${index}`, "x"), by: index % 2 ? "foldOutput" : "clearStale" },
    verdict,
  }));
  return recordMade(emptyAccount, priced, at);
}

/** What the cache simulator would tell: the prefix read that is read again, the rest written. */
function sessionAfter(read: readonly number[], written: readonly number[]): readonly LaterRequest[] {
  return read.map((tokens, index) => ({
    request: 5 + index,
    model: MODEL,
    usage: usage({ read: tokens, write5m: written[index] ?? 0 }),
  }));
}

const account = record([edit(60_000, 30_000)], terms({ expectedRequests: 4 }), occasion);
const asExpected = sessionAfter([60_000, 70_000, 70_000, 70_000], [10_000, 0, 0, 0]);

describe("an account", () => {
  test("stays the identical one when nothing was made, and survives being saved", () => {
    expect(record([edit(10, 1)], terms(), occasion)).toBe(emptyAccount);
    expect(JSON.parse(JSON.stringify(account))).toEqual(account);
  });

  test("comes out as predicted when the session goes as expected", () => {
    const { total, byKind, requests } = reconcile(account, asExpected, []);
    expect(total.realNetUnits).toBeCloseTo(total.predictedNetUnits, 6);
    expect(total.realNetUnits).toBeCloseTo(4 * 3000 - 11_500, 6);
    expect(total.realNetUsd).toBeCloseTo((500 * 5) / 1e6, 12);
    expect(byKind.clearStale).toEqual(total);
    expect(requests).toBe(4);
  });

  test("shows a loss when the session ends early", () => {
    const { total } = reconcile(account, asExpected.slice(0, 1), []);
    expect(total.realNetUnits).toBeCloseTo(3000 - 11_500, 6);
  });

  test("counts a whole rewriting when the cache found less than was hoped for", () => {
    const { total } = reconcile(account, sessionAfter([20_000], [50_000]), []);
    expect(total.rewriteUnits).toBeCloseTo(50_000 * 1.15, 6);
  });

  test("saves writing too in a request that finds the cache cold", () => {
    const { total } = reconcile(account, sessionAfter([60_000, 0], [10_000, 70_000]), []);
    expect(total.savedUnits).toBeCloseTo(30_000 * (0.1 + 1.25), 6);
  });

  test("saves nothing more once the window was compacted", () => {
    const compacted = asExpected.map((request) =>
      request.request === 7 ? { ...request, followsCompaction: true } : request,
    );
    expect(reconcile(account, compacted, []).total.savedUnits).toBeCloseTo(2 * 3000, 6);
  });

  test("pays for what was fetched again: the request, and the page in every request after it", () => {
    const { total } = reconcile(account, asExpected, [
      { key: "block b0", request: 6, pageTokens: 1000 },
      { key: "block of nobody", request: 6, pageTokens: 1000 },
      { key: "block b0", request: 4, pageTokens: 1000 },
    ]);
    expect(total.recoveries).toBe(1);
    expect(total.recoveryUnits).toBeCloseTo(70_000 * 0.1 + 150 * 5 + 1000 * 1.25 + 2 * 1000 * 0.1, 6);
    expect(total.realNetUnits).toBeCloseTo(500 - total.recoveryUnits, 6);
  });

  test("shares one rewriting among kinds by what they took out", () => {
    const both = record([edit(60_000, 20_000), edit(85_000, 10_000)], terms(), occasion);
    const { byKind } = reconcile(both, asExpected, []);
    expect(byKind.clearStale?.rewriteUnits).toBeCloseTo((11_500 * 2) / 3, 6);
    expect(byKind.foldOutput?.rewriteUnits).toBeCloseTo(11_500 / 3, 6);
  });

  test("has no dollars for a model without a price, and nothing to tell without edits", () => {
    const unpriced = record([edit(60_000, 30_000)], terms({ model: "gpt-6" }), { ...occasion, model: "gpt-6" });
    expect(reconcile(unpriced, asExpected, []).total).toMatchObject({
      realNetUsd: undefined,
      predictedNetUsd: undefined,
    });
    expect(reconcile(emptyAccount, asExpected, [])).toMatchObject({ total: { edits: 0 }, requests: 0 });
  });
});

test("whatever was made, the prediction is the price it was made for, and a session as expected fulfils it", () => {
  fc.assert(
    fc.property(
      arbitrarySizedEdits,
      arbitraryTerms,
      fc.integer({ min: 1, max: 30 }),
      (drafts, drawn, expectedRequests) => {
        const proposals = drafts.map((draft) => ({ ...draft, recoveryShare: 0 }));
        const { warmTokens } = drawn.prefix;
        const prefix = { ...drawn.prefix, reachFromTokens: 0, minimumTokens: 0 };
        // No edit lies astride the end of what is cached.
        fc.pre(
          proposals.every(
            (one) => one.positionTokens >= warmTokens || one.positionTokens + one.savedTokens <= warmTokens,
          ),
        );
        const given = { ...drawn, model: MODEL, expectedRequests, prefix };
        const made = deepFreeze(
          record(proposals, given, { request: 1, model: MODEL, warmTokens, share1h: given.share1h }),
        );
        const verdicts = decideEdits(proposals, { ...given, moment: "boundary" });
        const price = priceEdits(
          proposals.filter((_, index) => verdicts[index]?.isMade),
          given,
        );
        const first = Math.min(
          warmTokens,
          ...proposals.filter((_, index) => verdicts[index]?.isMade).map((one) => one.positionTokens),
        );
        const later = Array.from({ length: expectedRequests }, (_, index) => ({
          request: 1 + index,
          model: MODEL,
          usage: usage(index === 0 ? { read: first, write5m: 1 } : { read: 500_000 }),
        }));
        const { total } = reconcile(made, later, []);
        expect(total.predictedNetUnits).toBeCloseTo(price.expectedNetUnits, 3);
        if (made !== emptyAccount) expect(total.realNetUnits).toBeCloseTo(price.expectedNetUnits, 3);
      },
    ),
    { numRuns: tries(40, 1000) },
  );
});
