/** If red: replay does not notice what a later answer needed of the old context. */
import { describe, expect, it } from "vitest";
import { assistant, call, results, user } from "../../test/support/build.ts";
import { type Exchange, exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import { findNeeds } from "./needs.ts";

const quiet = (): Exchange => exchange([user("go on")], assistant("well"));

function listNeeds(exchanges: readonly Exchange[]) {
  const needs = findNeeds(recordReplaySession(exchanges));
  return needs.bySteps.map((step) =>
    step.map(({ atom, isHot, isEditLine }) => [needs.names[atom], isHot ? "hot" : "cold", isEditLine]),
  );
}

describe("needs", () => {
  it("are what had been in the conversation before, nothing that the answer brings itself", () => {
    const asked = exchange([user("use parseLedger")], assistant("parseLedger beside newWord"));
    expect(listNeeds([asked])).toEqual([[["wparseLedger", "hot", false]]]);
  });

  it("are hot for three exchanges and cold from the fourth", () => {
    const reported = exchange([user("use parseLedger")], assistant("well"));
    const used = exchange([user("go on")], assistant("parseLedger"));
    expect(listNeeds([reported, quiet(), used])[2]).toEqual([["wparseLedger", "hot", false]]);
    expect(listNeeds([reported, quiet(), quiet(), used])[3]).toEqual([["wparseLedger", "cold", false]]);
  });

  it("are hot again once they have been seen again, if only in the agent's own call", () => {
    const reported = exchange([user("use parseLedger")], assistant("well"));
    const again = exchange([user("go on")], assistant(call("Grep", { pattern: "parseLedger" })));
    const used = exchange([results("nothing")], assistant("parseLedger"));
    expect(listNeeds([reported, quiet(), quiet(), quiet(), again, used])[5]).toEqual([["wparseLedger", "hot", false]]);
  });

  it("know the lines of an edit", () => {
    const read = exchange([user("fix it")], assistant(call("Read", { file_path: "a.ts" })));
    const edit = exchange(
      [results("1\tlet a = 1;\n2\tlet b = 2;")],
      assistant(call("Edit", { file_path: "a.ts", old_string: "let a = 1;" })),
    );
    expect(listNeeds([read, edit])[1]).toEqual([
      ["pa.ts", "hot", false],
      ["elet a = 1;", "hot", true],
    ]);
  });

  it("name the blocks that hold them, oldest first, with the request that first carried each", () => {
    const session = recordReplaySession([
      exchange([user("use parseLedger")], assistant("fine")),
      exchange([user("I said parseLedger")], assistant("parseLedger")),
    ]);
    const needs = findNeeds(session);
    const texts = needs.sources[0]?.map(({ block, step }) => [block.kind === "text" ? block.text : "", step]);
    expect(texts).toEqual([
      ["use parseLedger", 0],
      ["I said parseLedger", 1],
    ]);
    const block = session.steps[0]?.joined[0]?.blocks[0];
    expect(block && [needs.isRecorded(block), [...needs.atomsOf(block)]]).toEqual([true, [0]]);
  });
});
