/** If red: the line about a compaction promises a saving that is not there, or gives no reason. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompactionNotice, renderAnnouncement } from "./render-announcement.ts";

const notice: CompactionNotice = {
  model: "claude-opus-5",
  trigger: "auto",
  tokensBefore: 142_000,
  tokensAfter: 31_000,
  compactionPointTokens: 147_000,
  baseTokens: 24_000,
  why: "the cache is cold",
};

describe("the line about a compaction", () => {
  it("says how much, why now, and what it saves in dollars", () => {
    expect(renderAnnouncement(notice)).toMatch(
      /^142k → 31.0k tokens: the cache is cold; saves about \$\d+\.\d\d over the next 20 requests$/,
    );
  });

  it.each([
    ["manual", "whatever", "as you asked"],
    ["auto", "", "the client's limit was reached"],
    ["auto", "your line of 120k is reached", "your line of 120k is reached"],
  ])("names who wanted it: %s, %j", (trigger, why, reason) => {
    expect(renderAnnouncement({ ...notice, trigger, why })).toContain(`tokens: ${reason};`);
  });

  it("does not blame the client's limit for a request that the API refused far below it", () => {
    expect(renderAnnouncement({ ...notice, why: "", tokensBefore: 90_000 })).toContain(
      "the API rejected the request as too long",
    );
  });

  it("tells tokens where nobody knows the model's price", () => {
    expect(renderAnnouncement({ ...notice, model: "some-other-model" })).toMatch(
      /; 111k tokens less in every request$/,
    );
  });

  it("promises nothing where little is saved", () => {
    expect(renderAnnouncement({ ...notice, tokensBefore: 31_200 })).toMatch(/; pays off after about \d+ requests$/);
    expect(renderAnnouncement({ ...notice, tokensBefore: 30_000 })).toMatch(/; nothing saved yet$/);
  });

  it("is one line, and never speaks of a saving below zero", () => {
    const tokens = fc.integer({ min: 0, max: 2_000_000 });
    fc.assert(
      fc.property(tokens, tokens, tokens, (tokensBefore, tokensAfter, baseTokens) => {
        const line = renderAnnouncement({ ...notice, tokensBefore, tokensAfter, baseTokens });
        expect(line).not.toMatch(/\n|\$-|NaN|Infinity/);
      }),
    );
  });
});
