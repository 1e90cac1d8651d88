/** If red: an edit replaces something other than what it was decided about, or a request is sent that the API refuses. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryEditSeeds, createEdits, sayOtherwise } from "../../test/support/arbitrary-edits.ts";
import { arbitrarySession } from "../../test/support/arbitrary-session.ts";
import {
  assistant,
  blockId,
  call,
  conversation,
  editsOf,
  image,
  opaque,
  replacement,
  results,
  system,
  thinking,
  user,
} from "../../test/support/build.ts";
import { tries } from "../../test/support/depth.ts";
import { findOrphans } from "../../test/support/find-orphans.ts";
import { renderShape } from "../../test/support/shape.ts";
import { applyEdits, findViolations, renderViolation } from "./apply-edits.ts";
import type { Edit } from "./edit.ts";
import type { Message } from "./message.ts";
import { replaceBlock as proposeBlock } from "./propose-edit.ts";

const RUNS = { numRuns: tries(40, 500) };
const arbitraryEdited = fc
  .tuple(arbitrarySession(), arbitraryEditSeeds)
  .map(([messages, seeds]) => ({ messages, edits: createEdits(messages, seeds) }));

const session = conversation(
  user("fix it", image()),
  assistant(thinking("let me look"), call("Bash", { command: "ls" }), call("Read", { path: "a.ts" })),
  results("a.ts\nb.ts", ["code", opaque("citation_v9")]),
  system("note"),
  assistant("done", opaque("server_tool_use")),
  user("thanks"),
);
const { replaceBlock } = editsOf(session);
const thanks = blockId(session, "m6");
const ACCOUNT = { by: "test", reason: "a test asks for it", handles: [] };
const summary = replacement("s", user("a summary"));

describe("one block", () => {
  test("content gives way to content, and the block keeps its id, its call and its place", () => {
    const edits = [
      replaceBlock(blockId(session, "m1", 1), "an image was here"),
      replaceBlock("toolCall:Bash#1", { command: "..." }),
      replaceBlock("toolResult:Bash#1", "2 files"),
      replaceBlock(thanks, "thx"),
    ];
    const { messages, applied, refused } = applyEdits(session, edits);
    expect(renderShape(messages)).toMatchInlineSnapshot(`
      "user text "fix it"
      user + host text "an image was here"
      assistant thinking 11 chars
      assistant + call Bash#1 {"command":"..."}
      assistant + call Read#1 {"path":"a.ts"}
      user result Bash#1 7 chars
      user + result Read#1 4 chars, opaque
      system host text "note"
      assistant text "done"
      assistant + opaque server_tool_use
      user text "thx""
    `);
    expect(messages.flatMap(({ blocks }) => blocks.map(({ id }) => id))).toEqual(
      session.flatMap(({ blocks }) => blocks.map(({ id }) => id)),
    );
    expect(applied).toEqual(edits);
    expect(refused).toEqual([]);
  });

  test("a failed result stays failed when its text gives way", () => {
    const before = conversation(
      user("go"),
      assistant(call("Bash")),
      results({ kind: "toolResult", parts: [], isError: true }),
    );
    const { messages } = applyEdits(before, [editsOf(before).replaceBlock("toolResult:Bash#1", "it failed")]);
    expect(renderShape(messages, { quotesResults: true })).toContain('user result Bash#1 failed "it failed"');
  });

  test.each<[string, Edit, string]>([
    ["a block that is not there", replaceBlock("text:none", "x"), "targetMissing"],
    ["a thinking block", replaceBlock(blockId(session, "m2"), "x"), "thinkingIsBound"],
    ["an opaque block", replaceBlock(blockId(session, "m5", 1), "x"), "opaqueIsUntouchable"],
    ["a result with an opaque part", replaceBlock("toolResult:Read#1", "x"), "opaqueIsUntouchable"],
    ["a call that is offered a text", replaceBlock("toolCall:Bash#1", "x"), "wrongContent"],
    ["a result that is offered an input", replaceBlock("toolResult:Bash#1", {}), "wrongContent"],
    ["a text that is offered an input", replaceBlock(thanks, {}), "wrongContent"],
    ["an image that is offered an input", replaceBlock(blockId(session, "m1", 1), {}), "wrongContent"],
    ["a text that is offered itself", replaceBlock(thanks, "thanks"), "changesNothing"],
    ["a call that is offered itself", replaceBlock("toolCall:Bash#1", { command: "ls" }), "changesNothing"],
    ["a result that is offered itself", replaceBlock("toolResult:Bash#1", "a.ts\nb.ts"), "changesNothing"],
  ])("%s stays as it is", (_, edit, why) => {
    const { messages, applied, refused } = applyEdits(session, [edit]);
    expect(messages).toBe(session);
    expect(applied).toEqual([]);
    expect(refused).toEqual([{ edit, why, detail: expect.stringMatching(/\S/) }]);
  });
});

describe("a span", () => {
  test("messages give way to messages, both ends included", () => {
    const before = conversation(
      user("fix it"),
      assistant(thinking("let me look"), call("Bash"), call("Read")),
      results("a.ts", "code"),
      assistant("done"),
      user("thanks"),
    );
    const { messages } = applyEdits(before, [editsOf(before).replaceSpan("m1", "m3", summary)]);
    expect(renderShape(messages)).toMatchInlineSnapshot(`
      "user text "a summary"
      assistant text "done"
      user text "thanks""
    `);
    expect(messages.slice(1)).toEqual(before.slice(3));
  });

  const pairs = conversation(
    user("fix it"),
    assistant(thinking("let me look"), call("Bash"), call("Read")),
    results("a.ts", "code"),
    assistant("done"),
    user("thanks"),
    assistant(call("Bash")),
    results("b.ts"),
  );
  const { replaceSpan } = editsOf(pairs);
  const [, looked] = pairs;
  const silent = looked ? [{ ...looked, blocks: looked.blocks.slice(1) }] : [];
  const forged = looked ? [{ ...looked, blocks: [...looked.blocks, ...looked.blocks.slice(0, 1)] }] : [];

  test.each<[string, Edit, string]>([
    ["whose first message is not there", replaceSpan("none", "m2", summary), "targetMissing"],
    ["whose last message is not there", replaceSpan("m1", "none", summary), "targetMissing"],
    ["that runs backwards", replaceSpan("m3", "m2", summary), "spanReversed"],
    ["offered its own messages", replaceSpan("m2", "m3", pairs.slice(1, 3)), "changesNothing"],
    ["offered an equal copy", replaceSpan("m2", "m3", structuredClone(pairs.slice(1, 3))), "changesNothing"],
    ["that takes a call and leaves its result", replaceSpan("m1", "m2", summary), "breaksInvariant"],
    ["that takes a result and leaves its call", replaceSpan("m3", "m4", summary), "breaksInvariant"],
    ["that takes the last result and leaves its call", replaceSpan("m7", "m7", summary), "breaksInvariant"],
    ["that leaves nothing", replaceSpan("m1", "m7", []), "breaksInvariant"],
    ["that leaves the assistant to begin", replaceSpan("m1", "m1", []), "breaksInvariant"],
    ["whose new messages are not new", replaceSpan("m1", "m1", pairs.slice(4, 5)), "breaksInvariant"],
    ["whose message loses only its thinking", replaceSpan("m2", "m2", silent), "thinkingIsBound"],
    ["whose message gains thinking", replaceSpan("m2", "m2", forged), "thinkingIsBound"],
  ])("%s stays as it is", (_, edit, why) => {
    const { messages, applied, refused } = applyEdits(pairs, [edit]);
    expect(messages).toBe(pairs);
    expect(applied).toEqual([]);
    expect(refused).toEqual([{ edit, why, detail: expect.stringMatching(/\S/) }]);
  });

  test.each(["m3", "m5"])("that holds something opaque (%s) stays as it is", (id) => {
    const { messages, refused } = applyEdits(session, [editsOf(session).replaceSpan(id, id, summary)]);
    expect(messages).toBe(session);
    expect(refused.map(({ why }) => why)).toEqual(["opaqueIsUntouchable"]);
  });

  test("that holds a result with an opaque part leaves behind a handle, and not without one", () => {
    const edit = editsOf(session).replaceSpan("m2", "m3", summary);
    expect(applyEdits(session, [edit]).refused.map(({ why }) => why)).toEqual(["opaqueIsUntouchable"]);
    const kept = { ...edit, handles: ["plimsoll:0123456789ab"] };
    expect(applyEdits(session, [kept])).toMatchObject({ applied: [kept], refused: [] });
  });

  test("holds a block that nobody understands whatever its handles; only a rival in replay may take it out", () => {
    const edit = { ...editsOf(session).replaceSpan("m5", "m5", summary), handles: ["plimsoll:0123456789ab"] };
    expect(applyEdits(session, [edit]).refused.map(({ why }) => why)).toEqual(["opaqueIsUntouchable"]);
    expect(applyEdits(session, [edit], undefined, "mayGo").refused).toEqual([]);
  });
});

describe("an edit that was decided about something else", () => {
  const other = sayOtherwise(session);
  const { replaceSpan } = editsOf(session);

  test.each<[string, Edit]>([
    ["a result that a tool gave anew under its call id", replaceBlock("toolResult:Bash#1", "2 files")],
    ["a text under the same id", replaceBlock(thanks, "thx")],
    ["a span in whose middle something changed", replaceSpan("m1", "m6", summary)],
  ])("%s stays as it is now said", (_, edit) => {
    const { messages, refused } = applyEdits(other, [edit]);
    expect(messages).toBe(other);
    expect(refused).toEqual([{ edit, why: "targetDiffers", detail: expect.stringMatching(/\S/) }]);
  });

  test("is not carried out where a block that it speaks of says something else, or is gone", () => {
    const [, { blocks: [, bash] = [] } = {}, { blocks: [result] = [] } = {}] = session;
    if (!bash || !result) throw new Error("the session has a call and its result");
    const edit = proposeBlock(result, { ...ACCOUNT, content: { text: "of ls" }, restsOn: [bash] });
    expect(applyEdits(session, [edit]).applied).toEqual([edit]);
    const renamed = applyEdits(session, [replaceBlock(bash.id, { command: "rm" })]).messages;
    const gone = session.map((message) => ({ ...message, blocks: message.blocks.filter(({ id }) => id !== bash.id) }));
    for (const messages of [renamed, gone])
      expect(applyEdits(messages, [edit]).refused.map(({ why }) => why)).toEqual(["targetDiffers"]);
  });

  test("is not carried out where it says not at all what it is about, as those of an earlier version", () => {
    const old: readonly Edit[] = JSON.parse(
      JSON.stringify([replaceBlock(thanks, "thx"), replaceSpan("m6", "m6", summary)]),
      (key, value) => (key === "replaces" ? undefined : value),
    );
    const { messages, refused } = applyEdits(session, old);
    expect(messages).toBe(session);
    expect(refused.map(({ why }) => why)).toEqual(["targetDiffers", "targetDiffers"]);
  });
});

describe("any edits", () => {
  test("the identical conversation comes back when every edit is refused, or there is none", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        expect(applyEdits(messages, []).messages).toBe(messages);
        const alone = edits.filter((edit) => applyEdits(messages, [edit]).refused.length > 0);
        expect(applyEdits(messages, alone).messages).toBe(messages);
      }),
      RUNS,
    );
  });

  test("an edit that changes no byte is refused, so the identical conversation comes back", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        const changed = edits
          .map((edit) => applyEdits(messages, [edit]).messages)
          .filter((after) => after !== messages);
        expect(changed.map((after) => JSON.stringify(after))).not.toContain(JSON.stringify(messages));
      }),
      RUNS,
    );
  });

  test("messages without an edit of their own are the identical objects", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        const outcome = applyEdits(messages, edits);
        const targets = new Set(outcome.applied.flatMap((edit) => (edit.kind === "replaceBlock" ? [edit.block] : [])));
        const replaced = new Set(outcome.applied.flatMap((edit) => (edit.kind === "replaceSpan" ? edit.messages : [])));
        const originals = new Set([...messages, ...replaced]);
        const unedited = outcome.messages.filter(({ blocks }) => !blocks.some((block) => targets.has(block.id)));
        expect(unedited.filter((message) => !originals.has(message))).toEqual([]);
      }),
      RUNS,
    );
  });

  // The builders freeze all they make: an edit that wrote into its input would throw here.
  test("nothing throws, nothing given is changed, and every edit is either applied or refused", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        const given = JSON.stringify([messages, edits]);
        const { applied, refused } = applyEdits(messages, edits);
        expect(JSON.stringify([messages, edits])).toBe(given);
        const answered = new Set<Edit>([...applied, ...refused.map(({ edit }) => edit)]);
        expect(applied.length + refused.length).toBe(edits.length);
        expect(edits.filter((edit) => !answered.has(edit))).toEqual([]);
      }),
      RUNS,
    );
  });

  test("a list of edits does what its edits do one after another", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        let current = messages;
        const applied: Edit[] = [];
        const refused: unknown[] = [];
        for (const edit of edits) {
          const step = applyEdits(current, [edit]);
          current = step.messages;
          applied.push(...step.applied);
          refused.push(...step.refused);
        }
        const outcome = applyEdits(messages, edits);
        expect(JSON.stringify(outcome)).toBe(JSON.stringify({ messages: current, applied, refused }));
      }),
      RUNS,
    );
  });

  test("no violation appears that was not there", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        const known = findViolations(messages).map(renderViolation);
        const found = findViolations(applyEdits(messages, edits).messages).map(renderViolation);
        for (const violation of known) if (found.includes(violation)) found.splice(found.indexOf(violation), 1);
        expect(found).toEqual([]);
      }),
      RUNS,
    );
  });

  test("every id stays the only one of its kind", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        const ids = applyEdits(messages, edits).messages.flatMap(({ id, blocks }) => [id, ...blocks.map((b) => b.id)]);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      RUNS,
    );
  });

  test("what nobody understands stays byte for byte, in its message", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        expect(renderOpaque(applyEdits(messages, edits).messages)).toEqual(renderOpaque(messages));
      }),
      RUNS,
    );
  });

  test("thinking stays byte for byte, or leaves with its whole message", () => {
    fc.assert(
      fc.property(arbitraryEdited, ({ messages, edits }) => {
        const before = new Map(messages.map((message) => [message.id, renderThinking(message)]));
        const after = applyEdits(messages, edits).messages;
        expect(after.map(renderThinking)).toEqual(after.map(({ id }) => before.get(id) ?? "[]"));
      }),
      RUNS,
    );
  });

  test("three hundred thousand edits are only a long list", () => {
    const shorter = applyEdits(session, [replaceBlock(thanks, "thx")]).messages;
    const row = [
      replaceBlock(thanks, "thx"),
      replaceBlock("none", "x"),
      editsOf(shorter).replaceBlock(thanks, "thanks"),
      replaceBlock("none", "y"),
    ];
    const { applied, refused } = applyEdits(session, Array.from({ length: 75_000 }, () => row).flat());
    expect([applied.length, refused.length]).toEqual([150_000, 150_000]);
  });

  test("an edit of a kind from the future is refused", () => {
    const future: Edit = JSON.parse('{"kind":"moveBlock","by":"x","reason":"x","handles":[]}');
    const { messages, refused } = applyEdits(session, [future, replaceBlock(thanks, "thx")]);
    expect(refused.map(({ why }) => why)).toEqual(["targetMissing"]);
    expect(renderShape(messages)).toContain('user text "thx"');
  });

  test("the random edits reach every outcome there is", () => {
    const outcomes = new Map<string, number>();
    for (const { messages, edits } of fc.sample(arbitraryEdited, { numRuns: 500, seed: 1 })) {
      const { applied, refused } = applyEdits(messages, edits);
      for (const outcome of [...applied.map(({ kind }) => kind), ...refused.map(({ why }) => why)]) {
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }
    expect([...outcomes].filter(([, times]) => times >= 20).map(([outcome]) => outcome)).toEqual(
      expect.arrayContaining([
        "replaceBlock",
        "replaceSpan",
        "targetMissing",
        "targetDiffers",
        "thinkingIsBound",
        "opaqueIsUntouchable",
        "wrongContent",
        "changesNothing",
        "spanReversed",
        "breaksInvariant",
      ]),
    );
  });
});

describe("pairs", () => {
  test("[R76] every cut leaves no orphan, also with parallel calls", () => {
    let [cuts, refusals] = [0, 0];
    fc.assert(
      fc.property(arbitrarySession({ maxRounds: 2 }), (messages) => {
        const before = new Set(findOrphans(messages));
        const isTorn = (after: readonly Message[]) => findOrphans(after).some((orphan) => !before.has(orphan));
        const { replaceSpan } = editsOf(messages);
        const wrong: string[] = [];
        for (const [start, first] of messages.entries()) {
          for (const [offset, last] of messages.slice(start).entries()) {
            const edit = replaceSpan(first.id, last.id, summary);
            const { messages: after, refused } = applyEdits(messages, [edit]);
            const cut = [...messages.slice(0, start), ...summary, ...messages.slice(start + offset + 1)];
            const isWanted = refused[0]?.why === "opaqueIsUntouchable" || refused.length === (isTorn(cut) ? 1 : 0);
            if (isTorn(after) || !isWanted) wrong.push(`${first.id} to ${last.id}`);
            cuts += 1 - refused.length;
            refusals += refused.length;
          }
        }
        expect(wrong).toEqual([]);
      }),
      RUNS,
    );
    // Both happen, and often: rules that allow everything or nothing would not pass.
    expect(Math.min(cuts, refusals)).toBeGreaterThan(tries(0, 1000));
  });
});

/** Every opaque block, and every result that holds an opaque part, with the message it stands in. */
function renderOpaque(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ id, blocks }) =>
    blocks
      .filter((block) => JSON.stringify(block).includes('"kind":"opaque"'))
      .map((block) => `${id} ${JSON.stringify(block)}`),
  );
}

function renderThinking(message: Message): string {
  return JSON.stringify(message.blocks.filter((block) => block.kind === "thinking"));
}
