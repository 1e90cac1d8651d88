/** If red: tool results come back out of order, or a failed command does not stop those next to it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createToolExecutor, type ToolExecutorOptions, type ToolOutcome } from "./tool-executor.ts";

interface Call {
  readonly name: string;
  readonly id: string;
}

/** Tools that end when the test says so, and a diary of what happened to them. */
function createBench(options: Partial<ToolExecutorOptions<Call, string>> = {}) {
  const diary: string[] = [];
  const ends = new Map<string, { resolve(text: string): void; reject(error: Error): void }>();
  const executor = createToolExecutor<Call, string>({
    run: (call, signal) => {
      diary.push(`start ${call.id}`);
      signal.addEventListener("abort", () => diary.push(`stop ${call.id}`));
      return new Promise((resolve, reject) => ends.set(call.id, { resolve, reject }));
    },
    ...options,
  });
  return {
    executor,
    diary,
    add: (words: string) => {
      const [name = "", id = ""] = words.split(" ");
      return executor.add({ name, id });
    },
    end: (id: string, text = `${id} result`) => ends.get(id)?.resolve(text),
    fail: (id: string) => ends.get(id)?.reject(new Error(`${id} broke`)),
  };
}

/** One line per outcome, as a model would be told. */
function listOutcomes(outcomes: readonly ToolOutcome<Call, string>[]): readonly string[] {
  return outcomes.map((outcome) => {
    const { status, call } = outcome;
    if (status === "done") return `${call.id}: ${outcome.result}`;
    if (status === "failed") return `${call.id} failed: ${outcome.result ?? outcome.error}`;
    return `${call.id} cancelled${outcome.wasRunning ? " while running" : ""}: ${outcome.reason}`;
  });
}

const settleAll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the tool executor", () => {
  it("[R143] starts each tool as its block arrives, and keeps the calls' order in the results", async () => {
    const { executor, add, end, diary } = createBench();
    await add("Read a");
    expect(diary).toEqual(["start a"]);
    await add("Grep b");
    end("b");
    await add("WebFetch c");
    expect(diary).toEqual(["start a", "start b", "start c"]);
    end("c");
    end("a");
    expect(listOutcomes(await executor.finish())).toEqual(["a: a result", "b: b result", "c: c result"]);
  });

  it("[R143] knows the shell by the name that the API gives it", async () => {
    const { executor, add, fail } = createBench({ maxConcurrent: 3 });
    await add("bash a");
    await add("Read b");
    fail("a");
    await settleAll();
    expect(listOutcomes(await executor.finish()).at(-1)).toBe("b cancelled while running: bash failed beside it");
  });

  it("[R143] lets a failed Bash call cancel its siblings, those that are done excepted", async () => {
    const { executor, add, end, fail, diary } = createBench({ maxConcurrent: 3 });
    await add("Read a");
    await add("Bash b");
    end("a");
    await settleAll();
    await add("Bash c");
    await add("Read d");
    const waiting = add("Read e");
    fail("b");
    await waiting;
    await add("Read f");
    expect(listOutcomes(await executor.finish())).toEqual([
      "a: a result",
      "b failed: Error: b broke",
      "c cancelled while running: Bash failed beside it",
      "d cancelled while running: Bash failed beside it",
      "e cancelled: Bash failed beside it",
      "f cancelled: Bash failed beside it",
    ]);
    expect(diary.filter((line) => line.startsWith("start"))).toEqual(["start a", "start b", "start c", "start d"]);
    expect(diary).toContain("stop c");
  });

  it.each(["Read", "Grep", "WebFetch"])("[R143] keeps the failure of %s to itself", async (name) => {
    const { executor, add, end, fail } = createBench();
    await add(`${name} a`);
    await add("Bash b");
    await add("Read c");
    fail("a");
    await settleAll();
    end("b");
    end("c");
    expect(listOutcomes(await executor.finish())).toEqual(["a failed: Error: a broke", "b: b result", "c: c result"]);
  });

  it("[R143] takes another list of tools that cancel, and results that say they are errors", async () => {
    const { executor, add, end } = createBench({
      cancelsSiblings: ["Deploy"],
      isFailure: (result) => result.startsWith("error"),
    });
    await add("Bash a");
    await add("Deploy b");
    await add("Read c");
    end("a", "error 1");
    await settleAll();
    end("b", "error 2");
    expect(listOutcomes(await executor.finish())).toEqual([
      "a failed: error 1",
      "b failed: error 2",
      "c cancelled while running: Deploy failed beside it",
    ]);
  });

  it("[R143] gives the results one by one, in order, while the response still streams", async () => {
    const { executor, add, end } = createBench();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const outcome of executor.outcomes()) seen.push(...listOutcomes([outcome]));
    })();
    await add("Read a");
    await add("Read b");
    end("b");
    await settleAll();
    expect(seen).toEqual([]);
    end("a");
    await settleAll();
    expect(seen).toEqual(["a: a result", "b: b result"]);
    await add("Read c");
    end("c");
    await executor.finish();
    await reading;
    expect(seen).toHaveLength(3);
  });

  it("[R143] holds back whoever awaits while the most are running", async () => {
    const { add, end, diary } = createBench({ maxConcurrent: 1 });
    await add("Read a");
    let isStarted = false;
    const second = add("Read b").then(() => {
      isStarted = true;
    });
    await settleAll();
    expect({ isStarted, diary }).toEqual({ isStarted: false, diary: ["start a"] });
    end("a");
    await second;
    expect(diary).toEqual(["start a", "start b"]);
  });

  it("[R143] runs an exclusive call alone, and those after it after it", async () => {
    const { add, end, diary } = createBench({ isExclusive: ({ name }) => name === "Edit" });
    const all = [add("Read a"), add("Edit b"), add("Read c")];
    await all[0];
    end("a");
    await all[1];
    expect(diary).toEqual(["start a", "start b"]);
    end("b");
    await all[2];
    expect(diary).toEqual(["start a", "start b", "start c"]);
  });

  it("[R143] cancels everything when it is aborted, also what does not listen", async () => {
    const controller = new AbortController();
    const { executor, add, diary } = createBench({ signal: controller.signal, maxConcurrent: 1 });
    await add("Read a");
    const waiting = add("Read b");
    controller.abort();
    await waiting;
    await add("Read c");
    expect(listOutcomes(await executor.finish())).toEqual([
      "a cancelled while running: aborted",
      "b cancelled: aborted",
      "c cancelled: aborted",
    ]);
    expect(diary).toEqual(["start a", "stop a"]);
    const late = createBench({ signal: controller.signal });
    await late.add("Read a");
    expect(listOutcomes(await late.executor.finish())).toEqual(["a cancelled: aborted"]);
  });

  it("starts nothing that is aborted in the breath it was let in", async () => {
    const controller = new AbortController();
    const { executor, add, diary } = createBench({ signal: controller.signal });
    const adding = add("Read a");
    controller.abort();
    await adding;
    expect(listOutcomes(await executor.finish())).toEqual(["a cancelled: aborted"]);
    expect(diary).toEqual([]);
  });

  it("takes a tool that throws at once for a failed one", async () => {
    const executor = createToolExecutor<Call, string>({
      run: () => {
        throw new Error("at once");
      },
    });
    await executor.add({ name: "Read", id: "a" });
    expect(listOutcomes(await executor.finish())).toEqual(["a failed: Error: at once"]);
  });

  it("[R143] settles every call once, in order, never with more than the limit, whatever ends when", async () => {
    const calls = fc.array(
      fc.record({ name: fc.constantFrom("Read", "Bash", "Edit"), turns: fc.nat(5), fails: fc.boolean() }),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 4 }), async (plan, maxConcurrent) => {
        let running = 0;
        let most = 0;
        const executor = createToolExecutor<(typeof plan)[number], number>({
          maxConcurrent,
          isExclusive: ({ name }) => name === "Edit",
          run: async ({ turns, fails }) => {
            most = Math.max(most, ++running);
            for (let turn = 0; turn < turns; turn++) await null;
            running--;
            if (fails) throw new Error("no");
            return turns;
          },
        });
        for (const call of plan) void executor.add(call);
        const outcomes = await executor.finish();
        expect(outcomes.map(({ call }) => call)).toEqual(plan);
        expect(most).toBeLessThanOrEqual(maxConcurrent);
        const isBashDown = outcomes.some(({ call, status }) => call.name === "Bash" && status === "failed");
        if (!isBashDown) expect(outcomes.map(({ status }) => status)).not.toContain("cancelled");
      }),
    );
  });

  it("refuses options that mean nothing, with the way out", async () => {
    expect(() => createBench({ maxConcurrent: 0 })).toThrow(
      new TypeError("maxConcurrent takes a whole number of at least 1, or Infinity, not 0"),
    );
    // @ts-expect-error not a list
    expect(() => createBench({ cancelsSiblings: "Bash" })).toThrow(/^cancelsSiblings takes a list/);
    // @ts-expect-error nothing to run
    expect(() => createToolExecutor({})).toThrow(/^run must be a function/);
    const { executor, add } = createBench();
    await executor.finish();
    await expect(add("Read a")).rejects.toThrow(TypeError);
  });
});
