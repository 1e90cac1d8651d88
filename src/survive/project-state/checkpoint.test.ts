/** If red: a checkpoint of the project is lost, or two are active at once. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EntryDraft, findActiveCheckpoint, parseLog, setCheckpoint } from "./entry-log.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);

const checkpoint = (title: string): EntryDraft => ({
  title,
  fields: {
    Git: "main at 1a2b3c4, 2 files not committed",
    Decisions: "- files, not a database",
    Left: "- write the parser\n- test it",
    Context: "the first approach\nlocked up",
    Resume: `continue ${title}`.trim(),
  },
});
const kinds = (text: string): readonly string[] => parseLog(text).entries.map(({ kind, title }) => `${kind}: ${title}`);

describe("checkpoints", () => {
  it("[R118] are one active at a time, and come back as they were set", () => {
    const { text } = setCheckpoint("", checkpoint("a"), AT);
    expect(findActiveCheckpoint(text)).toMatchObject({ ...checkpoint("a"), atMs: AT });
    const next = setCheckpoint(text, checkpoint("b"), AT + 60_000).text;
    expect(kinds(next)).toEqual(["Resolved: a", "Checkpoint: b"]);
    expect(findActiveCheckpoint(next)?.title).toBe("b");
  });

  it("[R118] keep the last three that are resolved, and hand the others over", () => {
    let text = "";
    const evicted: string[] = [];
    for (const name of ["a", "b", "c", "d", "e", "f"]) {
      const merged = setCheckpoint(text, checkpoint(name), AT);
      text = merged.text;
      evicted.push(...merged.evicted);
    }
    expect(kinds(text)).toEqual(["Resolved: c", "Resolved: d", "Resolved: e", "Checkpoint: f"]);
    expect(evicted.join()).toMatch(/Resolved: a\n[\s\S]*Resolved: b\n/);
  });

  it("[R118] stand in a file of their own, after whatever else a person wrote there", () => {
    const draft = { title: "b", fields: { Git: "main" } };
    const own = "# Mine\n\n## [2026-01-01 09:00] Remark: keep\n\n**Why:** so\n\n## [2026-01-02 10:00] Checkpoint: a\n";
    expect(setCheckpoint(own, draft, AT)).toEqual({
      text: `${own.replace("Checkpoint: a", "Resolved: a")}\n## [2026-01-02 10:20] Checkpoint: b\n\n**Git:** main\n`,
      evicted: [],
    });
    expect(setCheckpoint("", draft, AT).text).toBe(
      "# Checkpoint\n\n## [2026-01-02 10:20] Checkpoint: b\n\n**Git:** main\n",
    );
  });

  it("[R118] of two that both say they are active, written by another hand, the last one is", () => {
    const text = "## [2026-01-01 09:00] Checkpoint: a\n\n## [2026-01-01 10:00] Checkpoint: b\n";
    expect(findActiveCheckpoint(text)?.title).toBe("b");
  });

  it("[R120] change nothing when the same one is set again", () => {
    const { text } = setCheckpoint("", checkpoint("a"), AT);
    expect(setCheckpoint(text, checkpoint("a"), AT + 60_000)).toEqual({ text, evicted: [] });
  });

  it("[R118] never leave more than one active and three resolved", () => {
    const anyName = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.array(anyName, { maxLength: 12 }), (names) => {
        let text = "";
        for (const name of names) text = setCheckpoint(text, checkpoint(name), AT).text;
        const entries = parseLog(text).entries;
        expect(entries.filter(({ kind }) => kind === "Checkpoint").length).toBeLessThanOrEqual(1);
        expect(entries.filter(({ kind }) => kind === "Resolved").length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
