/** If red: decisions of earlier requests are not applied again, and the prompt cache is rebuilt. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sayOtherwise } from "../../../../test/support/arbitrary-edits.ts";
import { arbitraryHistory, historyVocabulary } from "../../../../test/support/arbitrary-history.ts";
import { tries } from "../../../../test/support/depth.ts";
import { applyEdits } from "../../../core/apply-edits.ts";
import type { Edit } from "../../../core/edit.ts";
import { countDropped } from "../../../core/layer.ts";
import type { Message } from "../../../core/message.ts";
import { runPipeline } from "../../../core/pipeline.ts";
import { createLayers } from "../../../layers/catalogue.ts";
import { estimateMessageTokens } from "../../../models/tokens.ts";
import { replayView } from "./replay-view.ts";

const layers = createLayers({
  vocabulary: historyVocabulary,
  foldOutputs: { atBirth: true, characters: 1000, lines: 20 },
  clearStale: { clearAtLeast: 0, keepExchanges: 1 },
  collapseExchanges: { leastTokens: 100, keepExchanges: 1, maxTailTokens: 100 },
});

function decide(messages: readonly Message[], decisions: readonly Edit[]): readonly Edit[] {
  const { ledger } = runPipeline({
    messages,
    ledger: { decisions },
    layers: layers.row,
    targetTokens: 0,
    countTokens: (message) => estimateMessageTokens(message, "classic"),
  });
  return ledger.decisions;
}

describe("replaying what was decided", () => {
  it("gives the same on what is new alone as on the whole conversation", () => {
    fc.assert(
      fc.property(arbitraryHistory(), fc.nat(100), fc.nat(4), (messages, share, back) => {
        const seen = Math.max(1, Math.floor((messages.length * share) / 100));
        const before = messages.slice(0, seen);
        const decisions = decide(before, []);
        const earlier = replayView(before, decisions);
        const kept = Math.max(0, seen - back);
        const continued = [...messages.slice(0, kept), ...structuredClone(messages.slice(kept))];
        const warm = replayView(continued, decisions, earlier);
        const cold = replayView(structuredClone(messages), decisions);
        expect(warm.view).toEqual(applyEdits(messages, decisions).messages);
        expect(new Set(warm.dropped)).toEqual(new Set(cold.dropped));
      }),
      { numRuns: tries(40, 400) },
    );
  });

  it("gives the same where what is new says otherwise what was decided about, and names what it drops", () => {
    let dropped = 0;
    fc.assert(
      fc.property(arbitraryHistory(), fc.integer({ min: 1, max: 4 }), (before, back) => {
        const decisions = decide(before, []);
        const earlier = replayView(before, decisions);
        const kept = Math.max(0, before.length - back);
        const messages = [...before.slice(0, kept), ...sayOtherwise(before.slice(kept))];
        const warm = replayView(messages, decisions, earlier);
        const cold = applyEdits(messages, decisions);
        expect(warm.view).toEqual(cold.messages);
        expect(warm.dropped.length).toBe(countDropped(cold));
        dropped += warm.dropped.length;
        // What was refused stays refused as the conversation goes on.
        const longer = [...messages, { id: "later", role: "user", blocks: [] } as const];
        const [later, anew] = [replayView(longer, decisions, warm), replayView(longer, decisions)];
        expect([later.view, later.dropped.length]).toEqual([anew.view, anew.dropped.length]);
        expect(later.refused).toEqual(anew.refused);
      }),
      { numRuns: tries(40, 400) },
    );
    expect(dropped).toBeGreaterThan(tries(0, 50));
  });

  it("does what another instance has decided since, wherever that is", () => {
    let changed = 0;
    fc.assert(
      fc.property(arbitraryHistory(), (messages) => {
        const before = messages.slice(0, -1);
        const earlier = replayView(before, []);
        const decisions = decide(before, []);
        const warm = replayView(messages, decisions, earlier);
        expect(warm.view).toEqual(applyEdits(messages, decisions).messages);
        if (warm.view !== messages) changed++;
      }),
      { numRuns: tries(40, 400) },
    );
    expect(changed).toBeGreaterThan(0);
  });

  it("is the identical list where nothing was decided", () => {
    fc.assert(
      fc.property(arbitraryHistory(), (messages) => {
        const decisions: readonly Edit[] = [];
        const earlier = replayView(messages.slice(0, 3), decisions);
        expect(replayView(messages, decisions, earlier).view).toBe(messages);
      }),
    );
  });

  it("keeps the objects that were made of the beginning", () => {
    fc.assert(
      fc.property(arbitraryHistory(), (messages) => {
        const before = messages.slice(0, -1);
        const decisions = decide(before, []);
        const earlier = replayView(before, decisions);
        const warm = replayView(messages, decisions, earlier);
        expect(warm.view.slice(0, earlier.view.length).every((message, index) => message === earlier.view[index])).toBe(
          true,
        );
      }),
    );
  });
});
