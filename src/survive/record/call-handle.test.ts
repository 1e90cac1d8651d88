import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHandles, findCall } from "./call-handle.ts";
import type { CallNote } from "./trail.ts";

const call = (callId: string): CallNote => ({
  callId,
  request: 1,
  tool: "Read",
  subject: "",
  characters: 0,
  outcome: "done",
});

describe("a handle", () => {
  it("is the end of a call's id, as short as tells it from the others", () => {
    expect(createHandles([call("toolu_01abcdef"), call("toolu_01uvwxyz")])("toolu_01abcdef")).toBe("call:abcdef");
    expect(createHandles([call("toolu_01abcdef"), call("toolu_02abcdef")])("toolu_01abcdef")).toBe("call:1abcdef");
  });

  it("leads back to its call, whatever the ids are", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-c]{1,9}$/), { minLength: 1 }), (ids) => {
        const calls = ids.map(call);
        const handle = createHandles(calls);
        for (const id of ids) {
          const found = findCall(calls, handle(id));
          // An id that is the end of another one cannot be told from it by its end.
          const isEnd = ids.some((other) => other !== id && other.endsWith(id));
          if (!isEnd) expect(found?.callId).toBe(id);
        }
      }),
    );
  });

  it("leads nowhere where it fits none or more than one", () => {
    const calls = [call("toolu_01abcdef"), call("toolu_02abcdef")];
    expect(findCall(calls, "call:abcdef")).toBeUndefined();
    expect(findCall(calls, "call:nothing")).toBeUndefined();
    expect(findCall(calls, "call:")).toBeUndefined();
    expect(findCall(calls, "toolu_02abcdef")).toBe(calls[1]);
  });
});
