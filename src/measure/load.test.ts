/** If red: a kind of content is left out of the load. */
import { expect, test } from "vitest";
import { called, injected, prompt, result, said, thought } from "../../test/support/session-events.ts";
import { estimateTextTokens } from "../models/tokens.ts";
import { emptyLoad, LOAD_FIELDS, sumLoads, weighArrival, weighOutput } from "./load.ts";

const tokensOf = (text: string): number => estimateTextTokens(text, "dense");

test("every field of a load is listed, so that none is left out of a sum", () => {
  expect([...LOAD_FIELDS].sort()).toEqual(Object.keys(emptyLoad).sort());
});

test("what the model writes weighs as text, thinking, or a call with its input", () => {
  expect(weighOutput(said("some words"), "dense")).toEqual({ ...emptyLoad, text: tokensOf("some words") });
  expect(weighOutput(thought("some words"), "dense")).toEqual({ ...emptyLoad, thinking: tokensOf("some words") });
  expect(weighOutput(called("Bash", "1", { command: "ls" }), "dense")).toEqual({
    ...emptyLoad,
    toolInput: tokensOf('{"command":"ls"}'),
    calls: 1,
  });
});

test("what joins from outside weighs as a result, a prompt, or something injected", () => {
  expect(weighArrival(result("Bash", "1", "some words"), "dense")).toEqual({
    ...emptyLoad,
    toolResult: tokensOf("some words"),
    results: 1,
  });
  expect(weighArrival(prompt("some words"), "dense")).toEqual({
    ...emptyLoad,
    prompt: tokensOf("some words"),
    prompts: 1,
  });
  for (const source of ["attachment", "reminder", "summary"] as const)
    expect(weighArrival(injected(source, "some words"), "dense")).toEqual({
      ...emptyLoad,
      injected: tokensOf("some words"),
    });
});

test("loads add up field by field", () => {
  const one = { ...emptyLoad, text: 1, calls: 2 };
  expect(sumLoads([one, one, { ...emptyLoad, prompts: 3 }])).toEqual({ ...emptyLoad, text: 2, calls: 4, prompts: 3 });
  expect(sumLoads([])).toEqual(emptyLoad);
});
