/** If red: a lesson that the task needs is not found in the memory. */
import { describe, expect, it } from "vitest";
import { renderMemory } from "./memory-index.ts";
import { searchLines, selectTopics } from "./search-lines.ts";

const INDEX = `# Memory
- [Testing](testing.md): vitest, fixtures, how to record them
- [Release](release.md): tags, changelog, npm publish
- [Parser](parser.md): the lexer of the project, fixtures of its grammar
- [Database](database.md): migrations of the project
`;
const filesFor = (task: string): readonly string[] => selectTopics(INDEX, task);

describe("topics", () => {
  it("[R122] [R133] come on demand: those whose words the task shares, rare words first", () => {
    expect(filesFor("Publish a new release to npm")).toEqual(["release.md"]);
    expect(filesFor("fix the lexer's fixtures")).toEqual(["parser.md", "testing.md"]);
    expect(filesFor("write a migration")).toEqual(["database.md"]);
  });

  it("[R122] come with a rare word before those with a word of many, wherever they are in the index", () => {
    const parts = ["bow", "keel", "stern"].map((part) => `- [${part}](${part}.md): planks of the hull`);
    const index = [...parts, "- [Rigging](rigging.md): ropes"].join("\n");
    expect(selectTopics(index, "mend the hull and the rigging", { maxTopics: 1 })).toEqual(["rigging.md"]);
  });

  it("[R133] stay away where the task says nothing of them", () => {
    expect(filesFor("hello")).toEqual([]);
    expect(filesFor("")).toEqual([]);
    expect(filesFor("the and for with")).toEqual([]);
  });

  it("[R133] are found also behind the lines that have room in the context", () => {
    const long = `${"- [Other](other.md): nothing\n".repeat(300)}- [Kettle](kettle.md): how to boil`;
    expect(selectTopics(long, "boil water")).toEqual(["kettle.md"]);
  });

  it("are few", () => {
    const many = Array.from({ length: 50 }, (_, index) => `- [Tests ${index}](t${index}.md): tests`).join("\n");
    expect(selectTopics(many, "tests")).toHaveLength(3);
    expect(selectTopics(many, "tests", { maxTopics: 0 })).toEqual([]);
    expect(() => selectTopics(many, "tests", { maxTopics: -1 })).toThrow("maxTopics");
  });

  it("[R122] enter a turn after the index, within their budget", () => {
    const text = renderMemory({ index: "- [A](a.md): x\n", topics: [{ file: "a.md", text: "y".repeat(5000) }] });
    expect(text.startsWith("- [A](a.md): x\n\n## a.md\n\nyyy")).toBe(true);
    expect(text.endsWith("[truncated]")).toBe(true);
    expect(renderMemory({ index: "", topics: [] })).toBe("");
    expect(() => renderMemory({ index: "", topics: [] }, { maxTopicCharacters: 1 })).toThrow("maxTopicCharacters");
  });
});

describe("transcripts", () => {
  const transcript = [
    "we chose postgres",
    "the weather is fine",
    "postgres migrations fail on Tuesday",
    "bye",
    "postgres again",
  ];

  it("[R122] are only searched: the best lines, the newest of equals first", () => {
    expect(searchLines(transcript, "Why do the postgres migrations fail?").map(({ line }) => line)).toEqual([3, 5, 1]);
    expect(searchLines(transcript, "kubernetes")).toEqual([]);
  });

  it("[R122] give excerpts, however long a line is, and only so many", () => {
    const long = Array.from({ length: 1000 }, () => `${"x".repeat(5000)} needle ${"y".repeat(5000)}`);
    const hits = searchLines(long, "needle", { maxHits: 4, excerptCharacters: 50 });
    expect(hits.map(({ line }) => line)).toEqual([1000, 999, 998, 997]);
    expect(hits.every(({ excerpt }) => excerpt.length <= 50 && excerpt.includes("needle"))).toBe(true);
    expect(() => searchLines([], "x", { maxHits: 0 })).toThrow("maxHits");
    expect(() => searchLines([], "x", { excerptCharacters: 1 })).toThrow("excerptCharacters");
  });
});
