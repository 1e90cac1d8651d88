/** If red: what is loaded from earlier sessions exceeds its room or repeats itself. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderState } from "./render-state.ts";
import { STATE_FILES, type StateFile } from "./state-files.ts";

const NOW = Date.UTC(2026, 2, 10);
const notes = (count: number): string =>
  `## Topics\n${Array.from({ length: count }, (_, index) => `- topic ${index} (2026-03-01)\n`).join("")}`;

describe("the budget of what is loaded", () => {
  it("says a decision once, however its title, its text and its reason repeat one another", () => {
    const entry =
      "## [2026-01-02 03:04] Decision: Use red lead because tar is out\n**Context:** x\n**Decision:** Use red lead because tar is out\n**Rationale:** because tar is out\n**Impact:**\n";
    const text = renderState(
      { "decisions.md": `# Decisions Log\n\n${entry}` },
      { nowMs: Date.UTC(2026, 0, 3), hasGit: true },
    );
    expect(text.match(/tar is out/g)).toHaveLength(1);
  });

  it("[R120] tells whole entries until it is spent, and counts the others", () => {
    const text = renderState({ "task-notes.md": notes(100) }, { nowMs: NOW, hasGit: true });
    const shown = text.match(/^- /gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(3);
    expect(text).toContain(`${100 - shown} more entries did not fit`);
  });

  it("[R120] passes over an entry that is too long instead of stopping at it", () => {
    const text = `## T\n- ${"long ".repeat(2000)}\n- short\n`;
    const loaded = renderState({ "task-notes.md": text }, { nowMs: NOW, hasGit: true });
    expect(loaded).toContain("short");
    expect(loaded).toContain("1 more entries did not fit");
  });

  it("[R120] holds for any files whatever", () => {
    const anyLine = fc.oneof(
      fc.constantFrom("## [2026-03-01 10:00] Decision: x", "**Decision:** y", "- item", "## T", '{"key":"k"}', "<!--"),
      fc.string({ unit: "binary" }),
      fc.nat(300).map((count) => `- ${"word ".repeat(count)}`),
    );
    const anyText = fc.array(anyLine, { maxLength: 20 }).map((lines) => lines.join("\n"));
    const anyTexts = fc
      .array(fc.tuple(fc.constantFrom<StateFile[]>(...STATE_FILES), anyText))
      .map((pairs) => Object.fromEntries(pairs));
    fc.assert(
      fc.property(anyTexts, (texts) => {
        expect(renderState(texts, { nowMs: NOW, hasGit: false }).length).toBeLessThanOrEqual(1700);
      }),
    );
  });
});
