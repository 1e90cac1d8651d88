import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Checkpoint, findActiveCheckpoint, resolveCheckpoint, setCheckpoint } from "./checkpoint.ts";
import { parseLog } from "./entry-log.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);

const checkpoint = (doing: string): Checkpoint => ({
  doing,
  git: "main at 1a2b3c4, 2 files not committed",
  decisions: ["files, not a database"],
  left: ["write the parser", "test it"],
  context: "the first approach\nlocked up",
  resume: `continue ${doing}`,
});
const kinds = (text: string): readonly string[] => parseLog(text).entries.map(({ kind, title }) => `${kind}: ${title}`);

describe("checkpoints", () => {
  it("[R118] are one active at a time, and come back as they were set", () => {
    const { text } = setCheckpoint("", checkpoint("a"), AT);
    expect(findActiveCheckpoint(text)).toEqual({ checkpoint: checkpoint("a"), atMs: AT });
    const next = setCheckpoint(text, checkpoint("b"), AT + 60_000).text;
    expect(kinds(next)).toEqual(["Resolved: a", "Checkpoint: b"]);
    expect(findActiveCheckpoint(next)?.checkpoint.doing).toBe("b");
  });

  it("[R118] keep the last three that are resolved, and hand the others over", () => {
    let text = "";
    const evicted: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) {
      const merged = setCheckpoint(text, checkpoint(name), AT);
      text = merged.text;
      evicted.push(...merged.evicted);
    }
    const resolved = resolveCheckpoint(text);
    expect(kinds(resolved.text)).toEqual(["Resolved: c", "Resolved: d", "Resolved: e"]);
    expect([...evicted, ...resolved.evicted].join()).toMatch(/Resolved: a\n[\s\S]*Resolved: b\n/);
    expect(findActiveCheckpoint(resolved.text)).toBeUndefined();
  });

  it("[R120] change nothing when the same one is set again, or none is there to resolve", () => {
    const { text } = setCheckpoint("", checkpoint("a"), AT);
    expect(setCheckpoint(text, checkpoint("a"), AT + 60_000)).toEqual({ text, evicted: [] });
    expect(resolveCheckpoint("# Checkpoint\n\nmine\n").text).toBe("# Checkpoint\n\nmine\n");
  });

  it("[R118] never leave more than one active and three resolved", () => {
    const anyName = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.array(fc.option(anyName), { maxLength: 12 }), (names) => {
        let text = "";
        for (const name of names)
          text = (name === null ? resolveCheckpoint(text) : setCheckpoint(text, checkpoint(name), AT)).text;
        const entries = parseLog(text).entries;
        expect(entries.filter(({ kind }) => kind === "Checkpoint").length).toBeLessThanOrEqual(1);
        expect(entries.filter(({ kind }) => kind === "Resolved").length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
