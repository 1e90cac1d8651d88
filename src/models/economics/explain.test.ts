/** If red: a person is given the wrong reason or price for why something was folded or left. */
import { describe, expect, test } from "vitest";
import { edit, terms } from "../../../test/support/edit-terms.ts";
import { type DecideOptions, decideEdits } from "./decide-edits.ts";
import { explain } from "./explain.ts";
import type { SizedEdit } from "./price-edit.ts";

function say(proposal: SizedEdit | readonly SizedEdit[], options: Partial<DecideOptions> = {}): string {
  const proposals = Array.isArray(proposal) ? proposal : [proposal];
  const [verdict] = decideEdits(proposals, { ...terms(), ...options });
  return verdict ? explain(verdict) : "";
}

describe("[R145] every edit tells its dollars and its break-even, made or declined", () => {
  test("made, alone and with others", () => {
    expect(say(edit(60_000, 30_000))).toMatchInlineSnapshot(
      `"Made: the change writes 10,000 tokens to the cache again, once, for $0.058. Every later request is 30,000 tokens smaller, which saves $0.015 each time. The change pays off after 4 requests; with 20 expected, the net saving is $0.243."`,
    );
    expect(say([edit(60_000, 20_000), edit(85_000, 10_000)])).toMatchInlineSnapshot(
      `"Made: 2 changes together write 10,000 tokens to the cache again, once, for $0.058. Every later request is 30,000 tokens smaller, which saves $0.015 each time. The change pays off after 4 requests; with 20 expected, the net saving is $0.243."`,
    );
  });

  test("made for nothing", () => {
    expect(say(edit(100_000, 4000))).toMatchInlineSnapshot(
      `"Made: the original was never sent, so the cache is not rewritten. Every later request is 4,000 tokens smaller, which saves $0.00200 each time."`,
    );
    expect(say(edit(60_000, 4000), terms({ prefix: { warmTokens: 0 } }))).toMatchInlineSnapshot(
      `"Made: the cache has expired, so everything is written again anyway. Every later request is 4,000 tokens smaller, which saves $0.00200 each time."`,
    );
    const prefix = { ...terms().prefix, warmTokens: 40_000 };
    expect(say(edit(60_000, 4000), { prefix, sentTokens: 100_000 })).toMatchInlineSnapshot(
      `"Made: this part of the cache is written again anyway, because of a change in front of it. Every later request is 4,000 tokens smaller, which saves $0.00200 each time."`,
    );
  });

  test("declined for its price", () => {
    expect(say(edit(10_000, 1000))).toMatchInlineSnapshot(
      `"Declined: the change writes 89,000 tokens to the cache again, once, for $0.512. Every later request is 1,000 tokens smaller, which saves $0.00050 each time. The change pays off after 1024 requests; with 20 expected, the net saving is -$0.502."`,
    );
    expect(say(edit(90_000, 8000), { clearAtLeastTokens: 20_000 })).toMatchInlineSnapshot(
      `"Declined: the change would remove only 8,000 tokens, too little to rewrite the cache for. The change writes 2,000 tokens to the cache again, once, for $0.012."`,
    );
  });

  test("declined for other reasons", () => {
    expect(say(edit(100_000, 500, { recoveryShare: 1 }))).toMatchInlineSnapshot(
      `"Declined: fetching the text back is expected to cost $0.057, more than the change saves. Every later request is 500 tokens smaller, which saves $0.00025 each time."`,
    );
    expect(say(edit(60_000, 0))).toBe("Declined: the change saves nothing.");
  });

  test("in tokens, where the model has no price", () => {
    expect(say(edit(60_000, 30_000), { model: "gpt-6" })).toMatchInlineSnapshot(
      `"Made: the change writes 10,000 tokens to the cache again, once, for the price of 11,500 tokens. Every later request is 30,000 tokens smaller, which saves the price of 3,000 tokens each time. The change pays off after 4 requests; with 20 expected, the net saving is the price of 48,500 tokens."`,
    );
  });

  test("made against its price, because it must fit", () => {
    const [verdict] = decideEdits([edit(10_000, 1000)], terms());
    expect(verdict && explain({ ...verdict, isMade: true, why: "mustFit" })).toMatchInlineSnapshot(
      `"Made: the conversation must fit into the window, whatever the change costs. The change writes 89,000 tokens to the cache again, once, for $0.512."`,
    );
  });
});
