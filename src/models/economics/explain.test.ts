import { describe, expect, test } from "vitest";
import { edit, terms } from "../../../test/support/edit-terms.ts";
import { type DecideOptions, decideEdits } from "./decide-edits.ts";
import { explain } from "./explain.ts";
import type { SizedEdit } from "./price-edit.ts";

function say(proposal: SizedEdit | readonly SizedEdit[], options: Partial<DecideOptions> = {}): string {
  const proposals = Array.isArray(proposal) ? proposal : [proposal];
  const [verdict] = decideEdits(proposals, { ...terms(), moment: "boundary", ...options });
  return verdict ? explain(verdict) : "";
}

describe("[R145] every edit tells its dollars and its break-even, made or declined", () => {
  test("made, alone and with others", () => {
    expect(say(edit(60_000, 30_000))).toMatchInlineSnapshot(
      `"Made: it writes 10,000 tokens again, once, for $0.058. Every later request carries 30,000 tokens less, $0.015 each; paid after 4 requests of 20 expected, net $0.243."`,
    );
    expect(say([edit(60_000, 20_000), edit(85_000, 10_000)])).toMatchInlineSnapshot(
      `"Made: 2 edits together write 10,000 tokens again, once, for $0.058. Every later request carries 30,000 tokens less, $0.015 each; paid after 4 requests of 20 expected, net $0.243."`,
    );
  });

  test("made for nothing", () => {
    expect(say(edit(100_000, 4000))).toMatchInlineSnapshot(
      `"Made: never sent, so nothing is written again. Every later request carries 4,000 tokens less, $0.00200 each."`,
    );
    expect(say(edit(60_000, 4000), { moment: "cold" })).toMatchInlineSnapshot(
      `"Made: the cache is cold and everything is written again anyway. Every later request carries 4,000 tokens less, $0.00200 each."`,
    );
    const prefix = { ...terms().prefix, warmTokens: 40_000 };
    expect(say(edit(60_000, 4000), { prefix, sentTokens: 100_000 })).toMatchInlineSnapshot(
      `"Made: what stands here is written again anyway, for an edit in front of it. Every later request carries 4,000 tokens less, $0.00200 each."`,
    );
  });

  test("declined for its price", () => {
    expect(say(edit(10_000, 1000))).toMatchInlineSnapshot(
      `"Declined: it writes 89,000 tokens again, once, for $0.512. Every later request carries 1,000 tokens less, $0.00050 each; paid after 1024 requests of 20 expected, net -$0.502."`,
    );
    expect(say(edit(60_000, 20_000), { expectedRequests: 18, moment: "midTurn" })).toMatchInlineSnapshot(
      `"Declined: it would pay, but too narrowly to disturb the cache now. It writes 20,000 tokens again, once, for $0.115; paid after 12 requests of 18 expected, net $0.065."`,
    );
    expect(say(edit(90_000, 8000), { clearAtLeastTokens: 20_000 })).toMatchInlineSnapshot(
      `"Declined: it would clear too little for a rewriting: 8,000 tokens. It writes 2,000 tokens again, once, for $0.012."`,
    );
  });

  test("declined for other reasons", () => {
    expect(say(edit(100_000, 500, { recoveryShare: 1 }))).toMatchInlineSnapshot(
      `"Declined: fetching it again is expected to cost $0.057, more than it saves. Every later request carries 500 tokens less, $0.00025 each."`,
    );
    expect(say(edit(60_000, 500), { moment: "birth" })).toMatchInlineSnapshot(
      `"Declined: it was sent before and waits for a boundary; changing it now would write 39,500 tokens again."`,
    );
    expect(say(edit(60_000, 0))).toBe("Declined: it saves nothing.");
  });

  test("in tokens, where the model has no price", () => {
    expect(say(edit(60_000, 30_000), { model: "gpt-6" })).toMatchInlineSnapshot(
      `"Made: it writes 10,000 tokens again, once, for the price of 11,500 tokens. Every later request carries 30,000 tokens less, the price of 3,000 tokens each; paid after 4 requests of 20 expected, net the price of 48,500 tokens."`,
    );
  });

  test("made against its price, because it must fit", () => {
    const [verdict] = decideEdits([edit(10_000, 1000)], { ...terms(), moment: "boundary" });
    expect(verdict && explain({ ...verdict, isMade: true, why: "mustFit" })).toMatchInlineSnapshot(
      `"Made: the conversation must fit, whatever it costs. It writes 89,000 tokens again, once, for $0.512."`,
    );
  });
});
