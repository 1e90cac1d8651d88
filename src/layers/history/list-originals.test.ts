/** If red: an original of a replaced message is not stored, and its handle leads nowhere. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryHistory, historyVocabulary } from "../../../test/support/arbitrary-history.ts";
import { assistant, call, conversation, editsOf, replacement, results, user } from "../../../test/support/build.ts";
import { tries } from "../../../test/support/depth.ts";
import { createView } from "../../../test/support/layer-contract.ts";
import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import { sha256 } from "../../core/sha256.ts";
import { createCollapseExchanges } from "../collapse-exchanges.ts";
import { createFoldOutputs } from "../fold-outputs.ts";
import { parseSections } from "../ledger/sections.ts";
import { listOriginals } from "./list-originals.ts";
import { nameOriginal, renderSpan } from "./originals.ts";

const messages = conversation(
  user("go"),
  assistant(call("Bash", { command: "make" })),
  results("word ".repeat(300)),
  assistant("done"),
);
const { replaceBlock, replaceSpan } = editsOf(messages);

function naming<T extends Edit>(edit: T, ...texts: readonly string[]): T {
  return { ...edit, handles: texts.map((text) => nameOriginal(text)) };
}

describe("listing the originals of edits", () => {
  test("finds the text of a block, of a whole span and of a block within one", () => {
    const text = "word ".repeat(300);
    const span = messages.slice(0, 3);
    const block = naming(replaceBlock("toolResult:Bash#1", "gone"), text);
    expect(listOriginals([block], messages)).toEqual([{ handle: nameOriginal(text), text, hash: sha256(text) }]);
    const whole = naming(replaceSpan("m1", "m3", []), renderSpan(span), text);
    expect(
      listOriginals([whole], messages)
        .map((original) => original.text)
        .sort(),
    ).toEqual([text, renderSpan(span)].sort());
  });

  test("a handle that nothing here stands for is none of them, nor is one whose span is not here", () => {
    expect(listOriginals([naming(replaceBlock("toolResult:Bash#1", "gone"), "something else")], messages)).toEqual([]);
    expect(listOriginals([naming(replaceSpan("m1", "m9", []), "word")], messages)).toEqual([]);
    expect(listOriginals([], messages)).toEqual([]);
  });

  test("a later edit is looked up in what the earlier ones made", () => {
    const first = naming(replaceBlock("toolResult:Bash#1", "half"), "word ".repeat(300));
    const after = applyEdits(messages, [first]).messages.slice(0, 3);
    const second = naming(editsOf(after).replaceSpan("m1", "m3", replacement("x", user("so far"))), renderSpan(after));
    expect(listOriginals([first, second], messages).map(({ text }) => text)).toEqual([
      "word ".repeat(300),
      renderSpan(after),
    ]);
  });

  test("finds the sections of every segment, whatever vocabulary, root and length of words wrote it", () => {
    let segments = 0;
    const styles = [
      {},
      { vocabulary: historyVocabulary },
      { vocabulary: historyVocabulary, root: "src", wordsCharacters: 3 },
      {
        wordsCharacters: 4_000,
        oldWordsCharacters: 9,
        answerCharacters: 4_000,
        briefCharacters: 2_000,
        planCharacters: 2_000,
      },
    ];
    fc.assert(
      fc.property(arbitraryHistory(), fc.boolean(), (history, isFoldedFirst) => {
        const view = createView(history);
        const folding = createFoldOutputs({ vocabulary: historyVocabulary, characters: 100, lines: 10 });
        const given = isFoldedFirst ? applyEdits(history, folding.plan(view)).messages : history;
        const named = styles.map((style) => {
          const edits = createCollapseExchanges({ ...style, now: true, keepExchanges: 1 }).plan(createView(given));
          const originals = listOriginals(edits, given);
          const handles = edits.flatMap((edit) => edit.handles);
          expect(originals.map(({ handle }) => handle)).toEqual([...new Set(handles)]);
          for (const { text } of originals) expect(parseSections(text)).toBeDefined();
          segments += handles.length;
          return new Map(
            edits.flatMap((edit) => (edit.kind === "replaceSpan" ? [[edit.first, edit.handles] as const] : [])),
          );
        });
        // A segment that is not worth it in one style may be in another; where both make it, it has the same handle.
        for (const [first, handles] of named.flatMap((segmentsOf) => [...segmentsOf]))
          for (const other of named) expect(other.get(first) ?? handles).toEqual(handles);
      }),
      { numRuns: tries(20, 100) },
    );
    expect(segments).toBeGreaterThan(tries(0, 100));
  });
});
