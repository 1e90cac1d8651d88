/** If red: the layers run in the wrong order, or a request that needs nothing is changed. */
import { describe, expect, test } from "vitest";
import { assistant, call, conversation, results, user } from "../../test/support/build.ts";
import { createView } from "../../test/support/layer-contract.ts";
import { emptyLedger } from "../core/layer.ts";
import { runPipeline } from "../core/pipeline.ts";
import { createLayers } from "./catalogue.ts";

const long = "word ".repeat(2000);
const session = conversation(
  user("go"),
  ...[1, 2, 3].flatMap(() => [assistant(call("Bash", { command: "a" })), results(long)]),
);

describe("the five layers", () => {
  test("[R127] stand in a row, cheapest first", () => {
    const { row } = createLayers();
    expect(row.map(({ name, cost }) => `${cost} ${name}`)).toEqual([
      "1 foldOutputs",
      "2 clearStale",
      "3 autoCompact",
      "4 reactToOverflow",
      "5 collapseExchanges",
    ]);
  });

  test("[R128] below the line nothing happens; slightly above it the first layer is enough", () => {
    const { tokens, countTokens } = createView(session);
    const common = { messages: session, layers: createLayers().row, ledger: emptyLedger, countTokens };
    const below = runPipeline({ ...common, targetTokens: tokens });
    expect(below.messages).toBe(session);
    const above = runPipeline({ ...common, targetTokens: tokens - 1 });
    expect(above.report.layers.filter(({ applied }) => applied > 0).map(({ layer }) => layer)).toEqual(["foldOutputs"]);
    expect(above.report.stopped).toBe("belowLine");
  });

  test("[R144] loads nothing unconditionally: a request that needs nothing leaves as the same object", () => {
    const small = conversation(user("hello"), assistant("hello"), user("bye"));
    const { countTokens } = createView(small);
    const common = { messages: small, layers: createLayers().row, ledger: emptyLedger, countTokens };
    expect(runPipeline({ ...common, targetTokens: 1_000 }).messages).toBe(small);
  });

  test("wrong options of any layer are named", () => {
    expect(() => createLayers({ collapseExchanges: { keepExchanges: 0 } })).toThrow(/^keepExchanges must/);
    expect(() => createLayers({ foldOutputs: { budget: 1 } })).toThrow(/^budget must/);
  });
});
