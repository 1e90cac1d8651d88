import { describe, expect, it } from "vitest";
import { injected, prompt, request, result } from "../../../test/support/session-events.ts";
import { createRecording } from "../../measure/recording.ts";
import { decideLoading, findFirstRequest } from "./first-request.ts";

const first = (tokens: number) => request("s1", tokens);

describe("findFirstRequest", () => {
  it("[R86] takes the person's words off the first recorded usage: the rest is the baseline", () => {
    const found = findFirstRequest(createRecording([prompt("Fix the title, please."), first(41_400)]));
    expect(found?.contextTokens).toBe(41_400);
    expect(found?.promptTokens).toBeGreaterThan(5);
    expect(found?.baseTokens).toBe(41_400 - (found?.promptTokens ?? 0));
  });

  it("[R77] knows from the record which tools were sent by name alone", () => {
    const names = "Bash\nmcp__files__read\nmcp__files__write";
    const listing = { ...injected("attachment", names), label: "deferred_tools_delta" };
    const found = findFirstRequest(createRecording([listing, prompt("Go."), first(20_000)]));
    expect(found?.deferredTools).toEqual(["mcp__files__read", "mcp__files__write"]);
    expect(found?.listings.deferred_tools_delta).toBeGreaterThan(5);
    expect(decideLoading(found, 9000)).toBe("deferred");
  });

  it("says nothing of a record that begins in the middle, or without usage", () => {
    expect(findFirstRequest(createRecording([result("Read", "t1", "old"), first(20_000)]))).toBeUndefined();
    expect(findFirstRequest(createRecording([prompt("Go.")]))).toBeUndefined();
  });
});

describe("decideLoading", () => {
  const found = findFirstRequest(createRecording([prompt("Go."), first(20_000)]));

  it("[R77] cannot hold a request to have carried more than it weighed", () => {
    expect(decideLoading(found, 30_000)).toBe("deferred");
    expect(decideLoading(found, 10_000)).toBe("loaded");
    expect(decideLoading(undefined, 10_000)).toBe("unknown");
  });
});
