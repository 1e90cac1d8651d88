/** If red: a request that the real API would refuse passes in every test. */
import { describe, expect, it } from "vitest";
import type { ContentBlock, Message } from "./messages-body.ts";
import { validateRequest } from "./validate-request.ts";

function rulesOf(messages: readonly Message[], system: readonly ContentBlock[] = []): readonly string[] {
  return validateRequest({ messages, system, tools: [] }).map(({ rule, at }) => `${rule} ${at}`);
}

const message = (role: string, ...content: readonly ContentBlock[]): Message => ({ role, content });
const text = (words: string): ContentBlock => ({ type: "text", text: words });
const use = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Bash", input: {} });
const result = (id: string, content: unknown = "ok"): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const marked = (block: ContentBlock): ContentBlock => ({ ...block, cache_control: { type: "ephemeral" } });
const ask = message("user", text("go"));

describe("validateRequest", () => {
  it("has nothing to say against a request with all that a client sends", () => {
    const messages = [
      ask,
      message("assistant", { type: "thinking", thinking: "hm", signature: "s" }, text("Yes."), use("a"), use("b")),
      message("user", result("b", [text("seen")]), marked(result("a")), text("and now?")),
    ];
    expect(rulesOf(messages, [marked(text("You paint ships."))])).toEqual([]);
  });

  it("lets an empty system message be, which the client sends by itself after a compaction", () => {
    expect(rulesOf([ask, { role: "system", content: [] }, message("assistant", text("Yes.")), ask])).toEqual([]);
  });

  it("finds a result behind words, also in the next message of the same role", () => {
    const call = message("assistant", use("a"));
    expect(rulesOf([ask, call, message("user", text("look:"), result("a"))])).toEqual([
      "result_not_first messages.2.content.1",
    ]);
    expect(rulesOf([ask, call, ask, message("user", result("a"))])).toEqual(["result_not_first messages.3.content.0"]);
  });

  it("finds white space for content, and the client's word for a result that it lost", () => {
    const lost = "[Tool result missing due to internal error]";
    expect(
      rulesOf([
        message("user", text(" \n")),
        message("assistant", use("a"), use("b")),
        message("user", result("a", lost), result("b", [text(""), text("x")])),
      ]),
    ).toEqual([
      "empty_content messages.0.content.0",
      "lost_result messages.2.content.0",
      "empty_content messages.2.content.1",
    ]);
  });

  it("finds an answer that says the same twice, and one that nobody asked to go on with", () => {
    expect(rulesOf([ask, message("assistant", text("Yes."), text("Yes.")), ask])).toEqual([
      "repeated_text messages.1.content.1",
    ]);
    expect(rulesOf([ask, message("assistant", text("I "))])).toEqual(["last_role messages.1"]);
    expect(rulesOf([ask, message("assistant", text("I"))])).toEqual([]);
  });

  it("finds breakpoints in the wrong place, and too many of them", () => {
    const thought = marked({ type: "thinking", thinking: "hm", signature: "s" });
    expect(rulesOf([ask, message("assistant", thought, text("Yes.")), ask])).toEqual([
      "wrong_mark messages.1.content.0",
    ]);
    const many = message("user", marked(text("a")), marked(text("b")), marked(text("c")), marked(text("d")));
    expect(rulesOf([many])).toEqual([]);
    expect(rulesOf([many], [marked(text("You paint ships."))])).toEqual(["wrong_mark messages"]);
  });
});
