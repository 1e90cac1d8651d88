/** If red: what the person typed while the model worked is lost at a compaction, or a client's notice becomes their words. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { parseRow, type Row } from "../../../hosts/claude-code/row-reader.ts";
import { describeRich, followExtras, listPictures, NO_EXTRAS, type RowExtras } from "./row-extras.ts";

const PICTURE = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } };
const URL = "data:image/png;base64,aGVsbG8=";

let count = 0;
function row(door: string, content: readonly JsonObject[], message: JsonObject = {}): Row {
  const given = { door, uuid: `u${++count}`, message: { type: "user", ...message, content: [...content] } };
  const parsed = parseRow(given);
  if (!parsed) throw new Error("no row");
  return parsed;
}
const text = (words: string): JsonObject => ({ type: "text", text: words });
const prompt = (words: string): Row => row("prompt", [text(words)]);
const attachment = (name: string, words: string): Row => row("attachment", [text(words)], { type: "attachment", name });
const delivery = (words: string): Row => row("delivery", [text(words)], { type: "attachment", name: "queued_command" });
const follow = (rows: readonly Row[]): RowExtras =>
  rows.reduce(
    (state, each) => followExtras(state, each, describeRich(each, new Map([[URL, "plimsoll:0123456789ab"]]))),
    NO_EXTRAS,
  );

const WRAPPED =
  "<system-reminder>\nThe user sent a new message while you were working:\nuse tar,\n\nnot lead\n\nThis is how the client surfaces them.\n</system-reminder>";

describe("what stands next to the rows that are told", () => {
  it("is what was typed while the model worked, word for word, behind the row that it came after", () => {
    const before = prompt("Paint it.");
    const state = follow([before, row("queue", [text("use tar,\n\nnot lead")]), delivery(WRAPPED)]);
    expect(state.asides).toEqual([{ after: before.uuid, author: "person", text: "use tar,\n\nnot lead" }]);
  });

  it("is read out of the client's wrapping where nobody saw it typed, and kept whole where the wrapping is another", () => {
    expect(follow([prompt("a"), delivery(WRAPPED)]).asides[0]?.text).toContain("use tar,");
    expect(follow([prompt("a"), delivery("Somebody says: stop")]).asides[0]?.text).toBe("Somebody says: stop");
  });

  it("is no word of the person where it is a notice that waited its turn", () => {
    const notice = "<task-notification>done</task-notification>";
    expect(follow([prompt("a"), delivery(notice)]).asides).toMatchObject([{ author: "host", text: notice }]);
  });

  it("is a skill, a file that was mentioned, whatever we do not know, but not what the client says in every window", () => {
    const state = follow([
      prompt("a"),
      row("note", [text("Skill: how to caulk")], { isMeta: true }),
      attachment("file", "hull.ts: whole"),
      attachment("something_new", "new"),
      attachment("environment", "Linux"),
      attachment("total_tokens_reminder", "100"),
      row("command", [text("<local-command-caveat>Caveat")], { isMeta: true }),
      row("note", [text("[Image: source: /tmp/1.png]")], { isMeta: true }),
      row("attachment", [], { type: "attachment", name: "session_context" }),
    ]);
    expect(state.asides.map((aside) => aside.text)).toEqual(["Skill: how to caulk", "hull.ts: whole", "new"]);
  });

  it("is nothing that came before the first row", () => {
    expect(follow([attachment("file", "x"), prompt("a")]).asides).toEqual([]);
  });

  it("is forgotten at a boundary, after which all that stays is told again; plan mode goes on", () => {
    const boundary = row("compaction", [text("Conversation compacted")], { type: "system", name: "compact_boundary" });
    const state = follow([prompt("a"), attachment("plan_mode", "Plan mode is active."), delivery(WRAPPED), boundary]);
    expect(state).toEqual({ ...NO_EXTRAS, planMode: "Plan mode is active.", retold: [] });
    expect(followExtras({ ...state, retold: ["1a2b"] }, boundary, []).retold).toEqual(["1a2b"]);
    expect(followExtras(state, attachment("plan_mode_exit", "You left it."), []).planMode).toBe("");
  });
});

describe("a row of several parts", () => {
  it("tells which tools a search loaded, where the client tells of nothing", () => {
    const loaded = { type: "tool_reference", tool_name: "TaskCreate" };
    const state = follow([row("result", [{ type: "tool_result", tool_use_id: "c1", content: [loaded] }])]);
    expect(state.rich).toMatchObject([{ callId: "c1", parts: [expect.stringContaining("[TaskCreate was loaded;")] }]);
  });

  it("is told with every picture as its handle, in its order", () => {
    const both = row("prompt", [text("this one?"), PICTURE]);
    expect(listPictures(both)).toEqual([URL]);
    expect(follow([both]).rich).toEqual([
      {
        row: both.uuid,
        callId: "",
        parts: ["this one?", "[picture plimsoll:0123456789ab, image/png, 1 KB: recall shows it]"],
      },
    ]);
  });

  it("may be a result: each by its call, and one of words alone in one part is told as it is", () => {
    const results = row("tool-result", [
      { type: "tool_result", tool_use_id: "a", content: [PICTURE] },
      { type: "tool_result", tool_use_id: "b", content: "plain" },
      { type: "tool_result", tool_use_id: "c", content: [text("one"), text("two")] },
    ]);
    expect(follow([results]).rich.map(({ callId, parts }) => [callId, parts.join("\n")])).toEqual([
      ["a", "[picture plimsoll:0123456789ab, image/png, 1 KB: recall shows it]"],
      ["c", "one\ntwo"],
    ]);
  });

  it("says of a picture that could not be kept only that there was one", () => {
    const [rich] = describeRich(row("prompt", [PICTURE]), new Map());
    expect(rich?.parts).toEqual(["[picture, image/png, 1 KB]"]);
  });
});
