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

  it("[R118] tells the five newest decisions and learnings, the last line of the log, and no guess", () => {
    const numbers = [1, 2, 3, 4, 5, 6];
    const decisions = numbers.map(
      (at) => `## [2026-03-0${at} 10:00] Decision: take ${at}\n\n**Decision:** Take ${at}…\n`,
    );
    const learned = numbers.map((at) => `{"ts":"2026-03-0${at}","key":"k${at}","type":"error","insight":"i${at}"}`);
    const instincts = [0.5, 0.4].map(
      (confidence) =>
        `## [2026-03-01 10:00] Instinct: x\n**Trigger:** when\n**Action:** do\n**Confidence:** ${confidence}\n`,
    );
    const texts = {
      "decisions.md": `${decisions.join("")}## [2026-03-01 10:00] Remark: none\n`,
      "learnings.jsonl": learned.join("\n"),
      "session-log.md": "# Log\n[2026-03-01 10:00] — first\n[2026-03-02 10:00] — last \n[x — none\n",
      "instincts.md": instincts.join(""),
      "task-notes.md": "- by hand\n",
      "checkpoint.md": "## [2026-03-01 10:00] Checkpoint: rig\n**Resume:** go on\n**Left:**\n- a\n- b\n",
    };
    const entries = renderState(texts, { nowMs: NOW, hasGit: true }).split("\n").slice(1);
    expect(entries.map((entry) => entry.replace(/^- \[.*?\] /, ""))).toEqual([
      "Checkpoint: rig; resume: go on; 2 steps left",
      "Note: by hand",
      ...[6, 5, 4, 3, 2].map((at) => `Decision: take ${at}`),
      "Last session: last",
      "Instinct (0.5): when -> do",
      ...[6, 5, 4, 3, 2].map((at) => `Learned (error): k${at}: i${at}`),
    ]);
  });

  it("[R118] has nothing to resume from a checkpoint without open work, in old words or new, unless steps are left", () => {
    const load = (resume: string, left = "") =>
      renderState(
        { "checkpoint.md": `## [2026-03-01 10:00] Checkpoint: rig\n**Resume:** ${resume}\n**Left:**\n${left}` },
        { nowMs: NOW, hasGit: true },
      );
    expect([load("no open task is recorded"), load("nothing is open; wait")]).toEqual(["", ""]);
    expect(load("no open task is recorded", "- a\n")).toContain("1 step left");
    expect(load("go on")).toContain("] Checkpoint: rig; resume: go on");
    expect(load("go on")).not.toContain("left");
  });

  it("[R118] joins only what says something new: of two parts alike the first, and a reason once with its because", () => {
    const convention = (title: string, pattern: string, place = "") =>
      `## [2026-03-01 10:00] Convention: ${title}\n**Pattern:** ${pattern}\n**Applies to:** ${place}\n`;
    const texts = {
      "conventions.md":
        convention("Names", "names") +
        convention("Never paint", "Never paint the keel") +
        convention("Sign it", "x", "src"),
      "decisions.md": "## [2026-03-01 10:00] Decision: Tar\n**Rationale:** Because it holds\n",
    };
    const entries = renderState(texts, { nowMs: NOW, hasGit: true }).split("\n").slice(1);
    expect(entries.map((entry) => entry.replace(/^- \[.*?\] /, ""))).toEqual([
      "Decision: Tar; because it holds",
      "Convention: Sign it; x; applies to src",
      "Convention: Never paint the keel",
      "Convention: Names",
    ]);
  });

  it("[R111] says what is wrong with a file, how often, and nothing of entries that this session wrote", () => {
    const texts = {
      "decisions.md": "## [soon] Decision: a\n",
      "task-notes.md": "- x (2026-03-10 10:00)\n- y (2026-03-10 09:59)\n<!-- a\n<!-- b\n",
    };
    expect(
      renderState(texts, { nowMs: NOW, beganMs: Date.UTC(2026, 2, 10, 10, 0, 59), hasGit: true })
        .split("\n")
        .slice(1),
    ).toEqual([
      "SUSPICIOUS: decisions.md contains 1 entries without a proper heading.",
      "SUSPICIOUS: task-notes.md, line 3 contains an HTML comment, which is invisible when rendered (and 1 more).",
      "- [2026-03-10 09:59; historical, dated in the future] Note: y",
      "- [historical, undated] Decision: a",
    ]);
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
