import { describe, expect, it } from "vitest";
import { type FoldCandidate, planFold } from "./plan-fold.ts";

const result = (text: string, more: Partial<FoldCandidate> = {}): FoldCandidate => ({
  id: "r",
  source: "toolResult",
  tool: "Bash",
  text,
  ...more,
});
const lines = (count: number, length = 12): string =>
  Array.from({ length: count }, () => "x".repeat(length)).join("\n");
const foldsOf = (...candidates: FoldCandidate[]) => planFold(candidates).folds;
const keptOf = (...candidates: FoldCandidate[]) => planFold(candidates).kept;

describe("planFold, one output at a time", () => {
  it("[R55] leaves 4,000 characters and folds 4,001", () => {
    expect(foldsOf(result("x".repeat(4000)))).toEqual([]);
    expect(foldsOf(result("x".repeat(4001)))).toEqual([{ kind: "single", id: "r", reason: "characters" }]);
  });

  it("[R56] leaves 120 lines and folds 121", () => {
    expect(foldsOf(result(lines(120, 20)))).toEqual([]);
    expect(foldsOf(result(`${lines(120, 20)}\n`))).toEqual([]);
    expect(foldsOf(result(lines(121, 20)))).toEqual([{ kind: "single", id: "r", reason: "lines" }]);
  });

  it("[R138] is what cuts large outputs in the tool layer: no command has to end in head -100", () => {
    expect(foldsOf(result(lines(3000, 80), { tool: "Grep" }))).toMatchObject([{ kind: "single" }]);
  });

  it("[R62] never folds what a person wrote", () => {
    const wrote = result(`${"words ".repeat(5000)}\n\`\`\`\n${lines(900)}\n\`\`\``, { source: "user" });
    expect(foldsOf(wrote)).toEqual([]);
    expect(keptOf(wrote)).toEqual([{ id: "r", reason: "userMessage" }]);
  });

  it("[R62] never folds the output of an error", () => {
    expect(keptOf(result("x".repeat(50_000), { isError: true }))).toEqual([{ id: "r", reason: "errorOutput" }]);
  });

  it("[R62] never folds fewer than 1,000 characters, however many lines they are", () => {
    expect(keptOf(result("\n".repeat(999)))).toEqual([{ id: "r", reason: "tooSmall" }]);
  });

  it("[R62] folds nothing that saves less than 1,000 characters, whatever its preview takes", () => {
    expect(keptOf(result("\n".repeat(2199)))).toEqual([{ id: "r", reason: "savesTooLittle" }]);
    expect(foldsOf(result("\n".repeat(2200)))).toHaveLength(1);
  });

  it("[R62] starts at the level asked for: in YELLOW and ORANGE already, and at once where nothing is said", () => {
    const large = result("x".repeat(9000));
    const at = (level: "GREEN" | "YELLOW" | "ORANGE" | "RED") =>
      planFold([large], { level, fromLevel: "YELLOW" }).folds.length;
    expect([at("GREEN"), at("YELLOW"), at("ORANGE"), at("RED")]).toEqual([0, 1, 1, 1]);
    expect(planFold([large], { level: "GREEN" }).folds).toHaveLength(1);
    expect(planFold([large], { level: "GREEN", fromLevel: "YELLOW" }).kept).toEqual([{ id: "r", reason: "notYet" }]);
  });

  it("takes other limits", () => {
    expect(planFold([result("x".repeat(2501))], { limits: { characters: 2500 } }).folds).toHaveLength(1);
  });
});

describe("planFold, several outputs of one class", () => {
  const greps = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => result("x".repeat(length), { id: `g${index}`, tool: "Grep" }));

  it("[R57] folds five outputs of one command class into one artifact, and leaves four", () => {
    expect(foldsOf(...greps(4, 1500))).toEqual([]);
    expect(foldsOf(...greps(5, 1500))).toEqual([
      { kind: "combined", ids: ["g0", "g1", "g2", "g3", "g4"], commandClass: "Grep" },
    ]);
  });

  it("[R57] takes the large ones of the class along: one artifact, not six", () => {
    const folds = foldsOf(...greps(5, 1500), result("x".repeat(9000), { id: "large", tool: "Grep" }));
    expect(folds).toHaveLength(1);
    expect(folds[0]).toMatchObject({ kind: "combined", ids: ["g0", "g1", "g2", "g3", "g4", "large"] });
  });

  it("[R57] [R62] counts neither errors nor outputs under 1,000 characters", () => {
    const small = result("x".repeat(999), { id: "small", tool: "Grep" });
    const failed = result("x".repeat(1500), { id: "failed", tool: "Grep", isError: true });
    expect(foldsOf(...greps(4, 1500), small, failed)).toEqual([]);
  });

  it("[R57] tells the classes of a shell apart by what it ran", () => {
    const run = (id: string, command: string) => result("x".repeat(1500), { id, command });
    const diffs = ["a", "b", "c", "d", "e"].map((file) => run(file, `cd /x && git diff ${file}`));
    expect(foldsOf(...diffs, run("t", "go test ./..."))).toEqual([
      { kind: "combined", ids: ["a", "b", "c", "d", "e"], commandClass: "Bash git diff" },
    ]);
  });
});

describe("planFold, code inside a message", () => {
  const message = (count: number) => result(`Here:\n\`\`\`ts\n${lines(count)}\n\`\`\`\nDone.`, { source: "assistant" });

  it("[R58] leaves a block of 200 lines and folds one of 201", () => {
    expect(foldsOf(message(200))).toEqual([]);
    expect(foldsOf(message(201))).toMatchObject([
      { kind: "codeBlock", id: "r", block: { lines: 201, language: "ts" } },
    ]);
  });

  it("[R58] names the block's place to the character", () => {
    const said = message(201);
    const [fold] = foldsOf(said);
    const block = fold?.kind === "codeBlock" ? fold.block : undefined;
    const cut = said.text.slice(block?.from, block?.to);
    expect(cut).toBe(`\`\`\`ts\n${lines(201)}\n\`\`\`\n`);
  });

  it("leaves the model's long words as they are: only code is folded", () => {
    expect(foldsOf(result("a sentence. ".repeat(2000), { source: "assistant" }))).toEqual([]);
  });
});

it("accounts for every candidate", () => {
  const candidates = [
    result("x".repeat(5000), { id: "a" }),
    result("x", { id: "b" }),
    result("x".repeat(2000), { id: "c", source: "user" }),
  ];
  const { folds, kept } = planFold(candidates);
  expect(folds.length + kept.length).toBe(candidates.length);
});
