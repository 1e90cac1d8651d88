/** If red: a habit that was never confirmed stays for ever, or the person's own lines are changed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EntryDraft, type LogEntry, parseLog } from "./entry-log.ts";
import { mergeInstincts, parseConfidence } from "./instincts.ts";

const DAY = 86_400_000;
const AT = Date.UTC(2026, 0, 2, 10, 20);

const instinct = (title: string, confidence = 0.5, fields: EntryDraft["fields"] = {}): EntryDraft => ({
  title,
  fields: {
    Trigger: `when ${title}`,
    Action: `do ${title}`,
    Confidence: String(confidence),
    Evidence: "seen twice",
    ...fields,
  },
});
const listInstincts = (text: string): readonly LogEntry[] => parseLog(text).entries;

describe("instincts", () => {
  it("[R118] stay at most 20, and the least certain goes first", () => {
    const many = Array.from({ length: 20 }, (_, index) => instinct(`n${index}`, index === 7 ? 0.3 : 0.6));
    const { text } = mergeInstincts("", many, AT);
    const after = mergeInstincts(text, [instinct("new", 0.5)], AT + DAY);
    expect(listInstincts(after.text)).toHaveLength(20);
    expect(after.evicted.join()).toContain("Instinct: n7\n");
    expect(after.text).toContain("Instinct: new\n");
  });

  it.each([
    [0.1, 0.3],
    [0.3, 0.3],
    [0.75, 0.75],
    [1, 0.9],
    [Number.NaN, 0.3],
  ])("[R118] hold a confidence of %s as %s", (given, kept) => {
    expect(listInstincts(mergeInstincts("", [instinct("x", given)], AT).text)[0]?.fields.Confidence).toBe(String(kept));
  });

  it("[R118] go after 30 days in which nothing confirmed them", () => {
    const { text } = mergeInstincts("", [instinct("old")], AT);
    expect(mergeInstincts(text, [], AT + 30 * DAY)).toEqual({ text, evicted: [] });
    const later = mergeInstincts(text, [], AT + 31 * DAY);
    expect(listInstincts(later.text)).toEqual([]);
    expect(later.evicted).toHaveLength(1);
  });

  it("[R120] are not confirmed by the same sight of them, saved once more", () => {
    const { text } = mergeInstincts("", [instinct("x", 0.5)], AT);
    expect(mergeInstincts(text, [instinct("x", 0.5)], AT + DAY)).toEqual({ text, evicted: [] });
  });

  it("[R120] are confirmed, not repeated, when they are learned again", () => {
    const { text } = mergeInstincts("", [instinct("x", 0.5)], AT);
    const again = mergeInstincts(
      text,
      [instinct("x", 0.4, { Trigger: "When X", Evidence: "seen again" })],
      AT + 29 * DAY,
    );
    expect(listInstincts(again.text)).toMatchObject([{ fields: { Confidence: "0.6" } }]);
    expect(mergeInstincts(again.text, [], AT + 58 * DAY).evicted).toEqual([]);
  });

  it("[R118] of those that are equally certain the oldest goes first, and one without a date before it", () => {
    const undated = "## [once] Instinct: undated\n\n**Confidence:** 0.6\n";
    const many = Array.from({ length: 19 }, (_, index) => instinct(`n${index}`, 0.6));
    const older = mergeInstincts(undated, many.slice(0, 1), AT).text;
    const { text } = mergeInstincts(older, many.slice(1), AT + DAY);
    const one = mergeInstincts(text, [instinct("more", 0.6)], AT + DAY);
    expect(one.evicted.map((raw) => raw.split("\n")[0])).toEqual(["## [once] Instinct: undated"]);
    const two = mergeInstincts(one.text, [instinct("and more", 0.6)], AT + DAY);
    expect(two.evicted.map((raw) => raw.split("\n")[0])).toEqual(["## [2026-01-02 10:20] Instinct: n0"]);
  });

  it("[R118] stand one below the other, whatever stands between them", () => {
    const own = "# Mine\n\n## [2026-01-01] Instinct: first\n\n**Confidence:** 0.6\n\n\n\n## [2026-01-01] Remark: keep";
    expect(mergeInstincts(own, [{ title: "x", fields: { Trigger: "when", Action: "do" } }], AT).text).toBe(
      `# Mine

## [2026-01-01] Instinct: first

**Confidence:** 0.6

## [2026-01-01] Remark: keep
## [2026-01-02 10:20] Instinct: x

**Trigger:** when
**Action:** do
**Confidence:** 0.3

`,
    );
    expect(mergeInstincts("", [instinct("x")], AT).text).toMatch(/^# Instincts\n\n## /);
    expect(mergeInstincts("# Mine\n\n## [2020-01-01] Instinct: old\n", [], AT).text).toBe("# Mine\n\n");
  });

  it("[R120] take the last of a lesson that stands there twice, and confirm it by the stronger of both", () => {
    const twice = ["0.4", "0.7"].map(
      (confidence) =>
        `## [2026-01-01 09:00] Instinct: x\n\n**Trigger:** WHEN\n**Action:** do\n**Confidence:** ${confidence}\n\n`,
    );
    const again = { title: "x", fields: { Trigger: "when", Action: "Do", Confidence: "0.5", Evidence: "seen" } };
    const { text } = mergeInstincts(twice.join(""), [again], AT);
    expect(listInstincts(text).map(({ fields }) => fields.Confidence)).toEqual(["0.7", "0.6"]);
  });

  it("[R120] leave what a person wrote between them as it is", () => {
    const own = "# Instincts\n\nMine.\n\n## [2020-01-01] Remark: keep\n\nforever\n";
    expect(mergeInstincts(own, [instinct("x")], AT).text.startsWith(own)).toBe(true);
    expect(mergeInstincts(own, [], AT)).toEqual({ text: own, evicted: [] });
  });

  it("[R118] keep the limit and the bounds whatever is merged, and lose nothing that is not handed over", () => {
    const anyInstinct = fc.record({
      title: fc.string({ minLength: 1 }),
      fields: fc.record({
        Trigger: fc.string({ unit: "binary" }),
        Action: fc.string(),
        Confidence: fc.double().map(String),
        Evidence: fc.string(),
      }),
    });
    fc.assert(
      fc.property(fc.array(anyInstinct, { maxLength: 30 }), fc.array(anyInstinct, { maxLength: 30 }), (one, two) => {
        const first = mergeInstincts("", one, AT);
        const second = mergeInstincts(first.text, two, AT + 10 * DAY);
        const kept = listInstincts(second.text);
        expect(kept.length).toBeLessThanOrEqual(20);
        for (const entry of kept) expect(entry.fields.Confidence).toBe(String(parseConfidence(entry)));
        const name = ({ fields }: EntryDraft): string =>
          JSON.stringify(
            [fields.Trigger ?? "", fields.Action ?? ""].map((text) =>
              text.replace(/\r\n?/g, "\n").trim().toLowerCase(),
            ),
          );
        const found = new Set([...kept, ...[...first.evicted, ...second.evicted].flatMap(listInstincts)].map(name));
        for (const each of [...one, ...two]) expect(found).toContain(name(each));
      }),
    );
  });
});
