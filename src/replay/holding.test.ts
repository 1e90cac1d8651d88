/** If red: replay says that something was kept which left the window for good. */
import { describe, expect, it } from "vitest";
import { assistant, call, reminder, results, user } from "../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import type { Block, TextBlock } from "../core/message.ts";
import { renderSections } from "../layers/ledger/sections.ts";
import { createHolding } from "./holding.ts";
import { findNeeds } from "./needs.ts";

const HANDLE = "plimsoll:0123456789ab";

/** Four sources, one each for a result, the person's words, the model's and the host's; the last answer needs them all. */
function createStage() {
  const session = recordReplaySession([
    exchange([user("the_person said", reminder("the_host said"))], assistant("the_model said", call("Read"))),
    exchange([results("the_result said")], assistant("well")),
    exchange([user("go on")], assistant("the_person the_host the_model the_result")),
  ]);
  const needs = findNeeds(session);
  const holding = createHolding(needs);
  const blocks = session.steps.flatMap(({ joined }) => joined.flatMap((message) => message.blocks));
  for (const block of blocks) holding.enter(block);
  const atomOf = (word: string): number => needs.names.indexOf(`w${word}`);
  const blockOf = (word: string): Block => {
    const found = needs.sources[atomOf(word)]?.[0]?.block;
    if (!found) throw new Error(`nothing holds ${word}`);
    return found;
  };
  const look = (word: string, step = 2) => {
    const { block: _, ...found } = { block: undefined, ...holding.look(atomOf(word), step) };
    return found;
  };
  return { holding, blockOf, look };
}

function host(text: string): TextBlock {
  return { kind: "text", id: "new", text, author: "host" };
}

describe("what is needed", () => {
  it("is retained while a block in the view holds it, also one that stands in the place of another", () => {
    const { holding, blockOf, look } = createStage();
    expect(look("the_result")).toEqual({ kind: "retained", isRestated: false });
    holding.leave(blockOf("the_result"));
    holding.enter(host("in short: the_result"));
    expect(look("the_result")).toEqual({ kind: "retained", isRestated: true });
  });

  it("is recoverable when the very text is stored and the view names its handle", () => {
    const { holding, blockOf, look } = createStage();
    holding.leave(blockOf("the_result"));
    holding.store(HANDLE, "the_result said");
    expect(look("the_result").kind).toBe("lost");
    holding.enter(host(`cleared, see ${HANDLE}`));
    expect(look("the_result", 30)).toEqual({ kind: "recoverable", isCharged: true });
  });

  it("is not recoverable from a text that is not the original, nor once the handle has left the view", () => {
    const { holding, blockOf, look } = createStage();
    const marker = host(`cleared, see ${HANDLE}`);
    holding.leave(blockOf("the_result"));
    holding.enter(marker);
    holding.store(HANDLE, "the_result said, more or less");
    expect(look("the_result").kind).toBe("lost");
    holding.store(HANDLE, "the_result said");
    expect(look("the_result", 30).kind).toBe("recoverable");
    holding.leave(marker);
    expect(look("the_result", 60).kind).toBe("lost");
  });

  it("is recoverable out of a section of a stored text", () => {
    const { holding, blockOf, look } = createStage();
    holding.leave(blockOf("the_result"));
    holding.leave(blockOf("the_model"));
    holding.store(
      HANDLE,
      renderSections([
        ["1", "the_model said"],
        ["2", "the_result said"],
      ]),
    );
    holding.enter(host(`1 Read → 1 line (${HANDLE}#2)`));
    expect(look("the_result").kind).toBe("recoverable");
    expect(look("the_model").kind).toBe("recoverable");
  });

  it("is recoverable out of a section that holds the preview of a folded result", () => {
    const { holding, blockOf, look } = createStage();
    holding.leave(blockOf("the_result"));
    holding.store("plimsoll:ba9876543210", "the_result said");
    holding.enter(host(`collapsed, see ${HANDLE}`));
    holding.store(HANDLE, renderSections([["1", "somebody quotes plimsoll:ba9876543210"]]));
    expect(look("the_result", 30).kind).toBe("lost");
    holding.store(HANDLE, renderSections([["1", "[FOLDED: Bash output] Full output: plimsoll:ba9876543210"]]));
    expect(look("the_result", 60).kind).toBe("recoverable");
  });

  it("is paid for once in twenty requests", () => {
    const { holding, blockOf, look } = createStage();
    holding.leave(blockOf("the_result"));
    holding.store(HANDLE, "the_result said");
    holding.enter(host(`cleared, see ${HANDLE}`));
    expect([2, 3, 21, 22, 23].map((step) => look("the_result", step))).toEqual(
      [true, false, false, true, false].map((isCharged) => ({ kind: "recoverable", isCharged })),
    );
  });

  it("is lost, and fatal where a person or the model had said it", () => {
    const { holding, blockOf, look } = createStage();
    for (const word of ["the_person", "the_host", "the_model", "the_result"]) holding.leave(blockOf(word));
    const lost = { kind: "lost", isCharged: true };
    expect(look("the_person")).toEqual({ ...lost, isFatal: true });
    expect(look("the_model")).toEqual({ ...lost, isFatal: true });
    expect(look("the_host")).toEqual({ ...lost, isFatal: false });
    expect(look("the_result")).toEqual({ ...lost, isFatal: false });
    expect(look("the_result")).toEqual({ ...lost, isFatal: false, isCharged: false });
  });

  it("can all be fetched once everything is open", () => {
    const { holding, blockOf, look } = createStage();
    holding.leave(blockOf("the_person"));
    holding.openAll();
    expect(look("the_person")).toEqual({ kind: "recoverable", isCharged: true });
  });
});
