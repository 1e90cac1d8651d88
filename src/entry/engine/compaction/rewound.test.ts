/** If red: a rewind shows a record twice or leaves out the person's words. */
import { describe, expect, it } from "vitest";
import { renderHeading } from "../../../layers/ledger/ledger-text.ts";
import { RECORD_OPENING } from "../../../survive/record/record-opening.ts";
import { toHanded, withoutMark } from "./rewound.ts";

const MARK = "<local-command-stdout>Compacted by Plimsoll</local-command-stdout>";

describe("a record that /rewind does not list", () => {
  it("begins and ends as it did, and holds once what the client's list leaves out", () => {
    const text = `${RECORD_OPENING} Requests 1 to 5.\nmore\n${renderHeading(2)}`;
    const [record] = toHanded([{ role: "user", text }]);
    const marked = `${RECORD_OPENING} Requests 1 to 5.\nmore\n${MARK}\n${renderHeading(2)}`;
    expect(record).toEqual({ role: "user", text: marked });
    expect(toHanded([record])).toEqual([record]);
    expect(toHanded([{ text: RECORD_OPENING }])).toEqual([{ text: `${RECORD_OPENING}\n${MARK}` }]);
    expect(withoutMark(marked)).toBe(text);
  });

  it("leaves everything else as it is: the person's words are theirs", () => {
    const messages = [{ role: "user", text: "Go on." }, { role: "assistant", text: "Gone." }, 7, null];
    expect(toHanded(messages)).toEqual(messages);
  });
});
