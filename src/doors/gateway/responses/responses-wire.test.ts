import { describe, expect, it } from "vitest";
import { parseRequest } from "../request/parse-request.ts";
import { responsesWire } from "./responses-wire.ts";

const said = (role: string, text: string) => ({ type: "message", role, content: [{ type: "input_text", text }] });
const body = (input: readonly object[], more: object = {}) =>
  Buffer.from(JSON.stringify({ model: "m", stream: true, input, tools: [{ type: "web_search" }], ...more }));

describe("a request of the Responses API", () => {
  it("is read the same whether its beginning was known or not, also where the last to speak goes on", () => {
    const rows = [
      [said("developer", "Be brief."), said("user", "Fix it.")],
      [said("user", "And that."), { type: "reasoning", summary: [], encrypted_content: "e" }],
      [{ type: "function_call", call_id: "a", name: "exec_command", arguments: "{}" }],
      [{ type: "function_call_output", call_id: "a", output: "out" }, said("user", "Go on.")],
    ];
    let input: readonly object[] = [];
    let known = parseRequest(body(rows[0] ?? []), undefined, responsesWire);
    for (const row of rows) {
      input = [...input, ...row];
      const whole = parseRequest(body(input), undefined, responsesWire);
      known = parseRequest(body(input), known, responsesWire);
      expect(known?.conversation.messages).toEqual(whole?.conversation.messages);
      expect([known?.spans, known?.fields]).toEqual([whole?.spans, whole?.fields]);
    }
    expect(known?.conversation.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  it("counts what the developer says in front with its base, and nothing else of its input", () => {
    const [first, second] = [said("developer", "Be brief."), said("user", "Fix it.")];
    const request = parseRequest(body([first, second]), undefined, responsesWire);
    const tools = JSON.stringify([{ type: "web_search" }]).length;
    expect(request?.fields.baseBytes).toBe(JSON.stringify(first).length + 1 + tools);
    expect(request?.conversation.messages).toHaveLength(1);
  });

  it.each([
    ["remembers the conversation", { previous_response_id: "resp_1" }],
    ["works in the background", { background: true }],
  ])("is not looked into where the API %s", (_name, more) => {
    expect(parseRequest(body([said("user", "x")], more), undefined, responsesWire)).toBeUndefined();
  });
});
