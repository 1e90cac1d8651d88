/** If red: a conversation that the real API would refuse passes in every test. */
import { describe, expect, it } from "vitest";
import type { ContentBlock, Message } from "./messages-body.ts";
import { validateMessages } from "./validate-messages.ts";

function rulesOf(...messages: readonly Message[]): readonly string[] {
  return validateMessages({ messages }).map((violation) => `${violation.rule} ${violation.at}`);
}

function message(role: string, ...content: readonly ContentBlock[]): Message {
  return { role, content };
}

const ask: Message = { role: "user", content: "go" };
const use = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Bash", input: {} });
const result = (id: string): ContentBlock => ({ type: "tool_result", tool_use_id: id, content: "ok" });

describe("validateMessages", () => {
  it("accepts parallel calls whose results come in several user messages, with a system message between", () => {
    expect(
      rulesOf(
        ask,
        message("assistant", use("a"), use("b")),
        message("user", result("b")),
        { role: "system", content: "x" },
        message("user", result("a")),
      ),
    ).toEqual([]);
  });

  it("finds a result without its call", () => {
    expect(rulesOf(ask, message("user", result("a")))).toEqual(["result_without_call messages.1.content.0"]);
  });

  it("finds a result that answers a call of an earlier assistant message", () => {
    expect(
      rulesOf(
        ask,
        message("assistant", use("a")),
        ask,
        message("assistant", use("b")),
        message("user", result("b"), result("a")),
      ),
    ).toEqual(["call_without_result messages.3", "result_without_call messages.4.content.1"]);
  });

  it("finds calls that are never answered", () => {
    expect(rulesOf(ask, message("assistant", use("a"), use("b")), message("user", result("a")))).toEqual([
      "call_without_result messages.3",
    ]);
  });

  it("finds ids used twice", () => {
    expect(
      rulesOf(
        ask,
        message("assistant", use("a")),
        message("user", result("a"), result("a")),
        message("assistant", use("a")),
        message("user", result("a")),
      ),
    ).toEqual(["duplicate_result messages.2.content.1", "duplicate_call messages.3.content.0"]);
  });

  it("finds a first message that is not the user's, unknown roles and blocks, and empty content", () => {
    expect(rulesOf({ role: "assistant", content: "hi" })).toEqual(["first_role messages.0"]);
    expect(rulesOf()).toEqual(["first_role messages.0"]);
    expect(rulesOf(ask, message("tool", { type: "surprise" }), message("user"), { role: "user", content: "" })).toEqual(
      [
        "unknown_role messages.1",
        "unknown_block messages.1.content.0",
        "empty_content messages.2",
        "empty_content messages.3.content.0",
      ],
    );
  });
});
