/** If red: a short handle leads to another call, or the last change is not remembered. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryEvents } from "../../../test/support/arbitrary-events.ts";
import { happen, story } from "../../../test/support/story.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { type CallNote, createHandles, createTrail, findCall } from "./trail.ts";

describe("the trail", () => {
  it("has one note per call: what it was about, how much came back, how it went", () => {
    const { trail } = story()
      .calls("Read", { file_path: "/p/a.ts" }, "x".repeat(50))
      .calls("Bash", { command: "npm test 2>&1 | tail" }, "Exit code 1\nboom", { isError: true })
      .calls("mcp__db__query", { sql: "select 1" }, "1")
      .calls("Grep", { pattern: "foo", path: "/p" })
      .happened();
    expect(trail.calls).toEqual([
      { callId: "toolu_0000c1", request: 1, tool: "Read", subject: "/p/a.ts", characters: 50, outcome: "done" },
      { callId: "toolu_0000c2", request: 2, tool: "Bash", subject: "npm test", characters: 16, outcome: "failed" },
      {
        callId: "toolu_0000c3",
        request: 3,
        tool: "mcp__db__query",
        subject: "select 1",
        characters: 1,
        outcome: "done",
      },
      { callId: "toolu_0000c4", request: 4, tool: "Grep", subject: "foo in /p", characters: 0, outcome: "waiting" },
    ]);
  });

  it("remembers the last change with its line and its function", () => {
    const { trail } = story()
      .calls("Edit", { file_path: "/p/a.ts", old_string: "one", new_string: "two" }, "ok", {
        detail: { originalFile: "function pay() {\n  one\n}\n", oldString: "one", newString: "two" },
      })
      .calls("Edit", { file_path: "/p/b.ts", old_string: "x", new_string: "y" }, "String not found", { isError: true })
      .happened();
    expect(trail.lastEdit).toEqual({ path: "/p/a.ts", line: 2, symbol: "pay", request: 1 });
  });

  it("counts requests as the session does, whatever happens", () => {
    fc.assert(
      fc.property(arbitraryEvents(), (events) => {
        const { state, trail } = happen(events);
        expect(trail.request).toBe(state.requests.count);
      }),
    );
  });

  it("goes on from a saved state where no call was open", () => {
    const first = story().asks("fix parseLine").calls("Read", { file_path: "/p/a.ts" }, "someName1").events();
    const second = story(first).calls("Bash", { command: "npm test" }, "ok").says("otherName2").events();
    const saved = createTrail(claudeCodeVocabulary, happen(first).trail);
    for (const event of second.slice(first.length)) saved.feed(event);
    expect(saved.state()).toEqual(happen(second).trail);
  });
});

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
