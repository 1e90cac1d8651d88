/** If red: a hook misreads its event and acts on the wrong call or session. */
import { describe, expect, it } from "vitest";
import { parseHookCall, parseHookInput } from "./hook-input.ts";

describe("parseHookInput", () => {
  it("reads the fields that every event carries, and keeps the whole event", () => {
    const text = JSON.stringify({ session_id: "s", transcript_path: "/t", cwd: "/c", agent_id: "a", prompt: "p" });
    expect(parseHookInput("UserPromptSubmit", text)).toEqual({
      event: "UserPromptSubmit",
      sessionId: "s",
      transcript: "/t",
      directory: "/c",
      agentId: "a",
      raw: JSON.parse(text),
    });
  });

  it("takes what is absent or of another type for empty", () => {
    expect(parseHookInput("Stop", '{"session_id":7,"cwd":null}')).toMatchObject({
      sessionId: "",
      directory: "",
      agentId: "",
    });
  });

  it.each(["", "{", "[]", '"text"', "null"])("is nothing for %j", (text) => {
    expect(parseHookInput("Stop", text)).toBeUndefined();
  });
});

describe("parseHookCall", () => {
  it("reads a call and leaves its response as it came", () => {
    expect(
      parseHookCall({ tool_use_id: "t1", tool_name: "Bash", tool_input: { command: "ls" }, tool_response: ["x"] }),
    ).toEqual({ callId: "t1", tool: "Bash", input: { command: "ls" }, response: ["x"] });
    expect(parseHookCall({})).toEqual({ callId: "", tool: "", input: {}, response: undefined });
  });
});
