/** If red: messages that the client hands over at a compaction are misread, or its own lines are drawn twice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameCall, nameResult, nameText, withoutEchoMark } from "../../../hosts/claude-code/row-reader.ts";
import { listKeys, parseRows, weighMessage } from "./compaction-event.ts";
import { toHanded } from "./rewound.ts";

describe("what the client hands to a compaction", () => {
  it("is read with the calls and results of each message, and the message itself as it came", () => {
    const answer = {
      role: "assistant",
      text: "I look.",
      toolUses: [{ tool_use_id: "a", tool: "Bash", input: { command: "ls" }, text: "ignored here" }],
      handle: "h1",
    };
    const reported = {
      role: "user",
      text: "",
      toolUses: [],
      toolResults: [{ tool_use_id: "a", text: "x".repeat(100), isError: false }],
      handle: "h2",
    };
    const messages = parseRows([answer, reported]);
    expect(messages).toMatchObject([
      { raw: answer, role: "assistant", text: "I look.", calls: ["a"], results: [] },
      {
        raw: reported,
        role: "user",
        text: "",
        calls: [],
        results: ["a"],
        resultTexts: [{ callId: "a", text: "x".repeat(100), isError: false }],
      },
    ]);
    expect(messages[0]?.raw).toBe(answer);
    // Seven characters of text and sixteen of input; the outcome that is repeated at the call is not counted twice.
    const [said, heard] = messages.map(weighMessage);
    expect(said).toBeCloseTo((7 + '{"command":"ls"}'.length) * 0.36, 9);
    expect(heard).toBeCloseTo(36, 9);
  });

  it("is recognised by its words, its calls and its results, each as often as it is there", () => {
    const messages = parseRows([
      { role: "user", text: "go", toolUses: [] },
      { role: "assistant", text: "I look.", toolUses: [{ tool_use_id: "a" }, { tool_use_id: "b" }] },
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "a", text: "x" }, { tool_use_id: "b" }] },
      { role: "user", text: "go", toolUses: [] },
      { role: "user", text: "", toolUses: [] },
    ]);
    expect(listKeys(messages)).toEqual([
      nameText("go"),
      nameText("I look."),
      nameCall("a"),
      nameCall("b"),
      nameResult("a"),
      nameResult("b"),
      nameText("go"),
    ]);
    expect(new Set([nameText("a"), nameCall("a"), nameResult("a")]).size).toBe(3);
  });

  it("is nothing where it says nothing", () => {
    expect(parseRows(undefined)).toEqual([]);
    expect(parseRows("words")).toEqual([]);
    expect(parseRows([null, 7, "x", []])).toEqual([]);
  });

  it("never throws, whatever it is", () => {
    const message = fc.record(
      { role: fc.jsonValue(), text: fc.jsonValue(), toolUses: fc.jsonValue(), toolResults: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(message, fc.jsonValue())), (messages) => {
        for (const each of parseRows(messages)) expect(weighMessage(each)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

const COMMAND = "<command-name>/compact</command-name>\n<command-args>keep red</command-args>";
const PRINTED = "<local-command-stdout>Compacted</local-command-stdout>";

function user(text: string): { readonly role: string; readonly text: string } {
  return { role: "user", text };
}

describe("the client's own texts in the answer to a compaction", () => {
  it.each([COMMAND, PRINTED, "<bash-input>ls</bash-input>", "[Request interrupted by user]"])(
    "are not drawn a second time, and are the same for whoever reads them: %j",
    (text) => {
      const [hidden] = toHanded([user(text)]);
      expect(hidden).toEqual(user(`<local-command-caveat></local-command-caveat>${text}`));
      expect(toHanded([hidden])).toEqual([hidden]);
      expect(withoutEchoMark(`<local-command-caveat></local-command-caveat>${text}`)).toBe(text);
      expect(withoutEchoMark(text)).toBe(text);
    },
  );

  it("are all that is marked: not what anybody said, not what stays as the client has it", () => {
    const messages = [
      user("Paint <command-name> red."),
      user("[Request interrupted by user for tool use]\nPaint it blue."),
      { role: "assistant", text: PRINTED },
      { ...user(COMMAND), handle: "h" },
      user(""),
      null,
      7,
    ];
    expect(toHanded(messages)).toEqual(messages);
  });
});
