/** If red: the last line of a gateway that stops gives numbers in words that do not fit them. */
import { describe, expect, it } from "vitest";
import { renderTotals } from "./gateway-options.ts";

const nothing = {
  requests: 0,
  edited: 0,
  edits: 0,
  dropped: 0,
  savedTokens: 0,
  savedBytes: 0,
  incidents: 0,
  retries: 0,
  recalls: 0,
  failed: 0,
};

describe("what a gateway did", () => {
  it.each([
    [{ requests: 1 }, "1 request, sent unchanged"],
    [{ requests: 2 }, "2 requests, all sent unchanged"],
    [{ requests: 2, edited: 1, savedTokens: 900 }, "2 requests, 1 shortened, about 900 tokens less in all"],
    [
      { requests: 1, retries: 1, incidents: 1 },
      "1 request, sent unchanged; 1 request sent again, shortened to fit the window; 1 incident, after which requests were sent unchanged",
    ],
    [
      { requests: 3, dropped: 2 },
      "3 requests, all sent unchanged; 2 times an earlier edit was not repeated, because the text that it replaced had changed",
    ],
    [
      { requests: 2, edited: 1, savedTokens: 900, recalls: 3 },
      "2 requests, 1 shortened, about 900 tokens less in all; removed text was fetched back 3 times",
    ],
    [{ requests: 1, failed: 1 }, "1 request, sent unchanged; the connection to the upstream failed once"],
  ])("is told of %j in words that fit the number", (totals, line) => {
    expect(renderTotals({ ...nothing, ...totals })).toBe(line);
  });
});
