import { describe, expect, it } from "vitest";
import { answer, attachment, prompt, toFile, transcript } from "../../../test/support/transcript-lines.ts";
import { countToolsAtStart } from "./count-tools.ts";

const listing = (...addedNames: readonly string[]) => attachment({ type: "deferred_tools_delta", addedNames });

describe("countToolsAtStart", () => {
  it("counts each name once, up to the first answer", () => {
    const lines = transcript(
      listing("a", "b"),
      prompt('what is "deferred_tools_delta"?'),
      listing("b", "c"),
      answer("m1", ["Hm."]),
      listing("d"),
    );
    expect(countToolsAtStart(toFile(lines))).toBe(3);
  });

  it("knows nothing of a transcript that is torn, or names none", () => {
    expect(countToolsAtStart('{"attachment":{"type":"deferred_tools_delta"')).toBe(0);
    expect(countToolsAtStart("")).toBe(0);
  });
});
