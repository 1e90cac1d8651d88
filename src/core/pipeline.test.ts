/** If red: an expensive layer runs where a cheap one was enough, or a layer that fails stops the request. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryEditSeeds, createEdits } from "../../test/support/arbitrary-edits.ts";
import { arbitraryGrowth, arbitrarySession } from "../../test/support/arbitrary-session.ts";
import { assistant, call, conversation, deepFreeze, editsOf, results, user } from "../../test/support/build.ts";
import { tries } from "../../test/support/depth.ts";
import { renderShape } from "../../test/support/shape.ts";
import type { Edit } from "./edit.ts";
import type { Layer, View } from "./layer.ts";
import { emptyLedger, recordDecisions, replayLedger } from "./layer.ts";
import type { Message } from "./message.ts";
import { type LayerReport, type PipelineOptions, type Report, renderReport, runPipeline } from "./pipeline.ts";

const RUNS = { numRuns: tries(40, 500) };

/** Every character of the blocks is a token. */
const countTokens = (message: Message): number => JSON.stringify(message.blocks).length;
const weigh = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + countTokens(message), 0);

const session = conversation(
  user("fix it"),
  assistant(call("Bash"), call("Read")),
  results("a".repeat(1000), "b".repeat(500)),
);
const { replaceBlock } = editsOf(session);
const foldBash = replaceBlock("toolResult:Bash#1", "folded");
const foldRead = replaceBlock("toolResult:Read#1", "folded");
const fullTokens = weigh(session);

function createLayer(name: string, plan: Layer["plan"], more: Partial<Layer> = {}): Layer {
  return { name, cost: 1, eager: false, plan, ...more };
}

/** Layers that propose nothing and note that they were asked. */
function createWitnesses(asked: string[], ...layers: readonly (Partial<Layer> & { readonly name: string })[]): Layer[] {
  return layers.map((layer) =>
    createLayer(
      layer.name,
      () => {
        asked.push(layer.name);
        return [];
      },
      layer,
    ),
  );
}

function run(options: Partial<PipelineOptions>) {
  return runPipeline(
    deepFreeze({ messages: session, layers: [], ledger: emptyLedger, targetTokens: 0, countTokens, ...options }),
  );
}

const arbitraryLayer = fc.record({
  cost: fc.constantFrom(1, 2, 3),
  eager: fc.boolean(),
  seeds: arbitraryEditSeeds,
  doesThrow: fc.constantFrom(false, false, false, true),
});

/** A run of layers that edit at random, sometimes throw, and have time for so many of them. */
const arbitraryRun = fc
  .record({
    messages: arbitrarySession(),
    rows: fc.array(arbitraryLayer, { maxLength: 4 }),
    targetTokens: fc.nat(3000),
    maxPasses: fc.integer({ min: 1, max: 4 }),
    maxQuestions: fc.nat(16),
  })
  .map(({ messages, rows, targetTokens, maxPasses, maxQuestions }) => {
    let questions = 0;
    const isTimeSpent = () => ++questions > maxQuestions;
    const layers = rows.map(({ seeds, doesThrow, ...layer }, index) => {
      const plan = (view: View) => (doesThrow ? raise("no model") : createEdits(view.messages, seeds));
      return createLayer(`layer ${index}`, plan, layer);
    });
    const { messages: sent, ...result } = run({ messages, layers, targetTokens, maxPasses, isTimeSpent });
    return { messages, layers, maxPasses, maxQuestions, sent, ...result };
  });

describe("which layers are asked", () => {
  test("the cheapest comes first, equals in the order given", () => {
    const asked: string[] = [];
    const layers = createWitnesses(
      asked,
      { name: "dear", cost: 30 },
      { name: "cheap", cost: 1 },
      { name: "second", cost: 2 },
      { name: "alsoSecond", cost: 2 },
    );
    run({ layers });
    expect(asked).toEqual(["cheap", "second", "alsoSecond", "dear"]);
  });

  test("no dearer layer is asked once the view is at the line", () => {
    const asked: string[] = [];
    const { report } = run({
      layers: [createLayer("fold", () => [foldBash]), ...createWitnesses(asked, { name: "dear", cost: 2 })],
      targetTokens: fullTokens - 994,
    });
    expect(report).toMatchObject({ stopped: "belowLine", tokensBefore: fullTokens, tokensAfter: fullTokens - 994 });
    expect(asked).toEqual([]);
  });

  test("one token above the line the dearer layer is asked", () => {
    const asked: string[] = [];
    run({
      layers: [createLayer("fold", () => [foldBash]), ...createWitnesses(asked, { name: "dear", cost: 2 })],
      targetTokens: fullTokens - 995,
      maxPasses: 1,
    });
    expect(asked).toEqual(["dear"]);
  });

  test("an eager layer is asked below the line too, once, and a patient one is not", () => {
    const asked: string[] = [];
    const layers = createWitnesses(asked, { name: "patient" }, { name: "eager", eager: true });
    expect(run({ layers, targetTokens: fullTokens, maxPasses: 5 }).report.stopped).toBe("belowLine");
    expect(asked).toEqual(["eager"]);
  });

  test("an eager layer is asked after a cheaper one has reached the line", () => {
    const asked: string[] = [];
    const eager = createWitnesses(asked, { name: "eager", cost: 2, eager: true });
    run({ layers: [createLayer("fold", () => [foldBash]), ...eager], targetTokens: fullTokens - 900, maxPasses: 5 });
    expect(asked).toEqual(["eager"]);
  });

  test("an eager layer is not asked again in a later pass once the view is at the line", () => {
    const asked: string[] = [];
    const folds = [[foldBash], [foldRead]];
    const layers = [createLayer("fold", () => folds.shift() ?? [])];
    const eager = createWitnesses(asked, { name: "eager", cost: 2, eager: true });
    const { report } = run({ layers: [...layers, ...eager], targetTokens: fullTokens - 1000, maxPasses: 5 });
    expect(report.layers.map(({ layer, pass }) => `${pass} ${layer}`)).toEqual(["1 fold", "1 eager", "2 fold"]);
    expect(asked).toEqual(["eager"]);
  });

  test("a layer sees the conversation as the layers before it left it", () => {
    const views: View[] = [];
    const look = (view: View) => {
      views.push(view);
      return [];
    };
    run({ layers: [createLayer("fold", () => [foldBash]), createLayer("look", look)], targetTokens: 7, maxPasses: 1 });
    expect(views).toMatchObject([{ tokens: fullTokens - 994, targetTokens: 7, countTokens }]);
    expect(renderShape(views[0]?.messages ?? [])).toContain("user result Bash#1 6 chars");
  });
});

describe("when it stops", () => {
  let plans = 0;
  const restless = createLayer("restless", ({ messages }) => [
    editsOf(messages).replaceBlock("toolResult:Bash#1", `plan ${++plans}`),
  ]);

  test.each([[1], [2], [5]])(
    "a layer that never settles is asked %i times when there are so many passes",
    (maxPasses) => {
      const { report } = run({ layers: [restless], maxPasses });
      expect(report.layers.map(({ pass }) => pass)).toEqual(Array.from({ length: maxPasses }, (_, index) => index + 1));
      expect(report.stopped).toBe("passesSpent");
    },
  );

  test.each([[0], [-1], [1.5], [Number.NaN], [Number.POSITIVE_INFINITY]])("%d passes are refused", (maxPasses) => {
    expect(() => run({ maxPasses })).toThrow(
      new TypeError(`maxPasses is ${maxPasses}: use a whole number of at least 1`),
    );
  });

  test("there are two passes by default", () => {
    expect(run({ layers: [restless] }).report.layers.length).toBe(2);
  });

  test("a pass that changes nothing is the last", () => {
    const asked: string[] = [];
    const { report } = run({ layers: createWitnesses(asked, { name: "idle" }), maxPasses: 5 });
    expect(asked).toEqual(["idle"]);
    expect(report.stopped).toBe("nothingToDo");
  });

  test("time that runs out between two layers stops the run, and what was done stands", () => {
    const asked: string[] = [];
    let questions = 0;
    const { messages, ledger, report } = run({
      layers: [createLayer("fold", () => [foldBash]), ...createWitnesses(asked, { name: "dear", cost: 2 })],
      isTimeSpent: () => ++questions > 1,
    });
    expect(asked).toEqual([]);
    expect(report.stopped).toBe("timeSpent");
    expect(weigh(messages)).toBe(fullTokens - 994);
    expect(ledger.decisions).toEqual([foldBash]);
  });

  test("time is not asked for when no layer is to be asked", () => {
    const isTimeSpent = () => {
      throw new Error("nobody should ask");
    };
    expect(run({ layers: [restless], targetTokens: fullTokens, isTimeSpent }).report.stopped).toBe("belowLine");
  });
});

describe("what a layer does wrong", () => {
  test.each<[string, Layer["plan"], string]>([
    ["throws an error", () => raise(new Error("no model")), "no model"],
    ["throws a string", () => raise("no model"), "no model"],
    ["returns no list", () => JSON.parse("null"), "not iterable"],
    [
      "writes into what it was given",
      ({ messages }) => [Object.assign(messages, { length: 0 }) && foldBash],
      "read only",
    ],
  ])("a layer that %s is reported and passed over", (_, plan, failure) => {
    const layers = [createLayer("wrong", plan), createLayer("fold", () => [foldBash], { cost: 2 })];
    const { messages, ledger, report } = run({ layers, maxPasses: 1 });
    expect(report.layers).toMatchObject([
      { layer: "wrong", applied: 0, tokensAfter: fullTokens, failure: expect.stringContaining(failure) },
      { layer: "fold", applied: 1 },
    ]);
    expect(report.layers[1]).not.toHaveProperty("failure");
    expect(ledger.decisions).toEqual([foldBash]);
    expect(weigh(messages)).toBe(fullTokens - 994);
  });

  test("an edit that is refused is reported, not recorded, and the rest of its plan goes on", () => {
    const lost = replaceBlock("text:none", "x");
    const { ledger, report } = run({ layers: [createLayer("fold", () => [lost, foldBash])], maxPasses: 1 });
    expect(report.layers).toMatchObject([{ applied: 1, refused: [{ edit: lost, why: "targetMissing" }] }]);
    expect(ledger.decisions).toEqual([foldBash]);
  });
});

describe("what comes out", () => {
  test("the identical conversation and ledger, when nothing was decided now or earlier", () => {
    fc.assert(
      fc.property(arbitrarySession(), fc.nat(5000), (messages, targetTokens) => {
        const layers = [createLayer("idle", () => []), createLayer("eager", () => [], { eager: true })];
        const result = run({ messages, layers, targetTokens });
        expect(result.messages).toBe(messages);
        expect(result.ledger).toBe(emptyLedger);
        expect(result.report.tokensAfter).toBe(result.report.tokensBefore);
      }),
      RUNS,
    );
  });

  test("earlier decisions are replayed first, and the report counts them and their effect", () => {
    const ledger = recordDecisions(emptyLedger, [foldBash, replaceBlock("text:none", "x")]);
    const result = run({ ledger, layers: [createLayer("fold", () => [foldRead])], maxPasses: 1 });
    expect(result.ledger.decisions).toEqual([...ledger.decisions, foldRead]);
    expect(result.report).toMatchObject({
      replayed: 1,
      dropped: 0,
      tokensBefore: fullTokens,
      tokensAfter: fullTokens - 994 - 494,
    });
    expect(renderShape(result.messages, { quotesResults: true })).toMatchInlineSnapshot(`
      "user text "fix it"
      assistant call Bash#1 {}
      assistant + call Read#1 {}
      user result Bash#1 "folded"
      user + result Read#1 "folded""
    `);
  });

  test("each message is weighed once, however many layers run", () => {
    const weighed: Message[] = [];
    const count = (message: Message) => {
      weighed.push(message);
      return countTokens(message);
    };
    const layers = createWitnesses([], { name: "one" }, { name: "two" }, { name: "three" });
    run({ layers: [...layers, createLayer("fold", () => [foldBash])], countTokens: count });
    expect(new Set(weighed).size).toBe(weighed.length);
    expect(weighed.length).toBe(session.length + 1);
  });

  test("the next request sends the bytes of this one again, then what is new", () => {
    fc.assert(
      fc.property(arbitraryGrowth(), arbitraryEditSeeds, arbitraryEditSeeds, ({ earlier, later }, seeds, more) => {
        const sent = run({ messages: earlier, layers: [createLayer("edit", () => createEdits(earlier, seeds))] });
        const known = new Set(earlier.flatMap(({ id, blocks }) => [id, ...blocks.map((block) => block.id)]));
        const plan = () => createEdits(later, more).filter((edit) => isAboutNew(edit, known));
        const next = run({ messages: later, ledger: sent.ledger, layers: [createLayer("editNew", plan)] });
        const prefix = next.messages.slice(0, sent.messages.length);
        expect(JSON.stringify(prefix)).toBe(JSON.stringify(sent.messages));
        expect(next.ledger.decisions.slice(0, sent.ledger.decisions.length)).toEqual(sent.ledger.decisions);
      }),
      RUNS,
    );
  });

  test("every layer starts from the weight the one before it left, and the last leaves what is sent", () => {
    fc.assert(
      fc.property(arbitraryRun, ({ messages, report, ledger, sent }) => {
        const { layers } = report;
        expect([report.tokensBefore, ...layers.map(({ tokensAfter }) => tokensAfter)]).toEqual([
          ...layers.map(({ tokensBefore }) => tokensBefore),
          report.tokensAfter,
        ]);
        expect([report.tokensBefore, report.tokensAfter]).toEqual([weigh(messages), weigh(sent)]);
        expect(ledger.decisions.length).toBe(layers.reduce((sum, { applied }) => sum + applied, 0));
        expect(JSON.stringify(replayLedger(ledger, messages).messages)).toBe(JSON.stringify(sent));
      }),
      RUNS,
    );
  });
});

describe("any layers on any conversation", () => {
  test("each is asked at most once per pass, cheapest first, and below the line only if eager, once", () => {
    fc.assert(
      fc.property(arbitraryRun, ({ layers, report }) => {
        const row = [...layers].sort((left, right) => left.cost - right.cost).map(({ name }) => name);
        for (const [index, step] of report.layers.entries()) {
          const previous = report.layers[index - 1];
          const isSamePass = step.pass === previous?.pass;
          if (isSamePass) expect(row.indexOf(step.layer)).toBeGreaterThan(row.indexOf(previous.layer));
          else expect(step.pass).toBe((previous?.pass ?? 0) + 1);
          const isEager = layers.some(({ name, eager }) => name === step.layer && eager);
          expect(step.tokensBefore > report.targetTokens || (isEager && step.pass === 1)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test("passes and time bound the run, and it says rightly why it stopped", () => {
    fc.assert(
      fc.property(arbitraryRun, ({ report, maxPasses, maxQuestions }) => {
        expect(report.layers.at(-1)?.pass ?? 1).toBeLessThanOrEqual(maxPasses);
        expect(report.layers.length).toBeLessThanOrEqual(maxQuestions);
        const isBelow = report.tokensAfter <= report.targetTokens;
        if (report.stopped === "timeSpent") expect(report.layers.length).toBe(maxQuestions);
        else expect(isBelow).toBe(report.stopped === "belowLine");
      }),
      RUNS,
    );
  });

  test("the random runs stop for every reason there is", () => {
    const reasons = fc.sample(arbitraryRun, { numRuns: 300, seed: 1 }).map(({ report }) => report.stopped);
    expect(new Set(reasons)).toEqual(new Set(["belowLine", "nothingToDo", "passesSpent", "timeSpent"]));
  });
});

describe("wrong options", () => {
  test.each([-1, Number.NaN])("targetTokens of %d is a TypeError that says so", (targetTokens) => {
    expect(() => run({ targetTokens })).toThrow(new TypeError(`targetTokens must be 0 or more, not ${targetTokens}`));
  });

  test("a line at zero, or none at all, is a right option", () => {
    expect(run({ targetTokens: 0 }).report.stopped).toBe("nothingToDo");
    expect(run({ targetTokens: Number.POSITIVE_INFINITY }).report.stopped).toBe("belowLine");
  });
});

function raise(thrown: unknown): never {
  throw thrown;
}

function isAboutNew(edit: Edit, known: ReadonlySet<string>): boolean {
  const targets = edit.kind === "replaceBlock" ? [edit.block] : [edit.first, edit.last];
  return targets.every((id) => !known.has(id) && !id.startsWith("new"));
}

const quiet: Report = {
  tokensBefore: 900,
  tokensAfter: 900,
  targetTokens: 1000,
  replayed: 0,
  dropped: 0,
  layers: [],
  stopped: "belowLine",
};
const fold: LayerReport = {
  layer: "foldOutput",
  pass: 1,
  tokensBefore: 900,
  tokensAfter: 400,
  applied: 2,
  refused: [],
};

test("a run that had nothing to do is one line", () => {
  expect(renderReport(quiet)).toMatchInlineSnapshot(
    `"900 -> 900 tokens, line at 1000; 0 earlier decisions replayed; stopped: belowLine"`,
  );
});

test("estimates are whole tokens for a person", () => {
  const layers = [{ ...fold, tokensBefore: 29882.389999999996, tokensAfter: 12.5 }];
  const text = renderReport({ ...quiet, tokensBefore: 29882.389999999996, layers });
  expect(text).toContain("29882 -> 900 tokens");
  expect(text).toContain("29882 -> 13 tokens");
});

test("each layer that was asked is a line: what it did, what was refused and why, whether it failed", () => {
  const edit = editsOf([]).replaceBlock("text:none", "x");
  const report: Report = {
    ...quiet,
    tokensAfter: 400,
    targetTokens: 300,
    replayed: 3,
    dropped: 2,
    layers: [
      fold,
      {
        ...fold,
        layer: "clearStaleReads",
        applied: 0,
        refused: [
          { edit, why: "targetMissing", detail: "no block text:none" },
          { edit, why: "wrongContent", detail: "a text block takes a text" },
        ],
      },
      { ...fold, layer: "summariseRounds", pass: 2, applied: 0, failure: "no model" },
    ],
    stopped: "passesSpent",
  };
  expect(renderReport(report)).toMatchInlineSnapshot(`
    "900 -> 400 tokens, line at 300; 3 earlier decisions replayed, 2 dropped because what they replaced has changed; stopped: passesSpent
    1. foldOutput: 2 edits, 900 -> 400 tokens
    1. clearStaleReads: 0 edits, 2 refused (targetMissing), 900 -> 400 tokens
    2. summariseRounds: 0 edits, failed: no model, 900 -> 400 tokens"
  `);
});

test.each(["belowLine", "nothingToDo", "passesSpent", "timeSpent"] as const)(
  "it says that it stopped for %s",
  (stopped) => {
    expect(renderReport({ ...quiet, stopped })).toContain(`stopped: ${stopped}`);
  },
);
