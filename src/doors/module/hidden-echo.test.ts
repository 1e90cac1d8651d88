import { describe, expect, it } from "vitest";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import { hideEchoes, withoutEchoMark } from "./hidden-echo.ts";

const COMMAND = "<command-name>/compact</command-name>\n<command-args>keep red</command-args>";
const PRINTED = "<local-command-stdout>Compacted</local-command-stdout>";

function user(text: string): { readonly role: string; readonly text: string } {
  return { role: "user", text };
}

describe("the client's own texts in the answer to a compaction", () => {
  it.each([COMMAND, PRINTED, "<bash-input>ls</bash-input>", "[Request interrupted by user]"])(
    "are not drawn a second time, and are the same for whoever reads them: %j",
    (text) => {
      const [hidden] = hideEchoes([user(text)]);
      expect(hidden).toEqual(user(`<local-command-caveat></local-command-caveat>${text}`));
      expect(hideEchoes([hidden])).toEqual([hidden]);
      expect(withoutEchoMark(`<local-command-caveat></local-command-caveat>${text}`)).toBe(text);
      expect(withoutEchoMark(text)).toBe(text);
    },
  );

  it("are all that is marked: not the record, not what anybody said, not what stays as the engine has it", () => {
    const messages = [
      user(`${RECORD_OPENING} Requests 1 to 5.`),
      user("Paint <command-name> red."),
      user("[Request interrupted by user for tool use]\nPaint it blue."),
      { role: "assistant", text: PRINTED },
      { ...user(COMMAND), handle: "h" },
      user(""),
      null,
      7,
    ];
    expect(hideEchoes(messages)).toEqual(messages);
  });
});
