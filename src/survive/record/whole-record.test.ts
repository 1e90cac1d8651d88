/** If red: a compaction loses open work, rules or decisions of the session before it. */
import { describe, expect, it } from "vitest";
import { boat } from "../../../test/support/boat-story.ts";
import { story } from "../../../test/support/story.ts";
import { findContinuation } from "./continuation.ts";
import { renderPreservation } from "./preservation.ts";
import { renderStandingRecord } from "./standing-record.ts";
import { renderSummary } from "./summary.ts";

describe("one session", () => {
  it("[R44] [R45] [R46] is told in the anchor, and in less where there is less room", () => {
    expect(renderSummary(boat, { root: "/p" })).toMatchInlineSnapshot(`
      "## Compaction Summary (generated at 16)
      ### Topics Covered
      - Build the boat and its mast
      ### Key Decisions Made
      - Oak or pine? (2. pine) → 2
      - I decided to use tar for src/hull.ts: because oil is thin. — affects src/hull.ts
      ### Active Threads
      - Rig it
      - Current file: src/hull.ts, current function/section: unknown
      - Partial progress: done 1 (Plank the hull); remains 3 (Rig it; "2" to "Oak or pine? (2. pine)"; Paint it)
      ### Emotional/Priority Context
      - "Urgent: it sails on Friday."
      - Blocker: \`npm test\` → Error: water in src/hull.ts [call:toolu_0000c13]
      ### Continuation Point
      > Resume: make \`npm test\` pass: Error: water in src/hull.ts; the last change was at src/hull.ts [call:toolu_0000c13]"
    `);
    expect(renderSummary(boat, { maxTokens: 250 })).toMatchInlineSnapshot(`
      "## Compaction Summary (generated at 16)
      ### Topics Covered
      - Build the b…
      ### Key Decisions Made
      - Oak or pine… → 2
      - … 1 more that did not fit
      ### Active Threads
      - Rig it
      - Current file: …/src/hull.ts, current function/section: unkno…
      - Partial progress: done 1 (Plank…); remains 3 (Rig it; "2" t…; Paint…)
      ### Emotional/Priority Context
      - "Urgent: it …"
      - … 1 more that did not fit
      ### Continuation Point
      > Resume: make \`npm test\` pass: Error: … [call:toolu_0000c13]"
    `);
    expect(renderSummary(boat, { maxTokens: 60 })).toMatchInlineSnapshot(`
      "## Compaction Summary
      > Resume: make \`npm test\` pass: Error: water in /p/src/hull.ts; the last change was at /p/…"
    `);
    expect(renderSummary(story().happened())).toMatchInlineSnapshot(`
      "## Compaction Summary (generated at 0)
      ### Topics Covered
      - none recorded
      ### Key Decisions Made
      - none recorded
      ### Active Threads
      - nothing was asked yet
      - Current file: none changed yet, current function/section: none
      - Partial progress: done 0; remains 0
      ### Emotional/Priority Context
      - no urgency, deadline or preference expressed
      ### Continuation Point
      > Resume: unknown: the session does not show what comes next; ask the user"
    `);
  });

  it("[R168] is what a summariser has to preserve", () => {
    const summaries = [
      { subject: "Tar it", files_modified: ["/p/tar.ts"], key_outcomes: ["Tarred."], errors_resolved: ["x"] },
    ];
    expect(renderPreservation({ happened: boat, root: "/p", trigger: "auto", summaries })).toMatchInlineSnapshot(`
      "═══ COMPACTION PRESERVATION INSTRUCTIONS ═══
      Trigger: auto
      The following context MUST be preserved verbatim:

      📋 ACTIVE / IN-PROGRESS TASKS:
        • Rig it
        • "2" to "Oak or pine? (2. pine)"
        • Paint it

      📝 FILES MODIFIED THIS SESSION:
        • /p/src/hull.ts

      🧪 TEST COMMANDS RUN:
        • npm test

      🧠 KEY DECISIONS MADE:
        • Oak or pine? (2. pine) → 2
        • I decided to use tar for src/hull.ts because oil is thin.

      ⚠️ RECENT ERRORS:
        • \`npm run build\` → error: no keel at /p/src/keel.ts — fixed by changing hull.ts
        • \`npm test\` → Error: water in /p/src/hull.ts

      📦 GIT DIFF STAT:
        src/hull.ts | 3 ++-
        1 file changed, 2 insertions(+), 1 deletion(-), by this session's edits since its last commit

      📁 PRE-COMPUTED TASK SUMMARIES (use verbatim — already compressed):
        ▸ Task: Tar it
          Files: /p/tar.ts
          → Tarred.
          ⚠ x

      🎯 THE USER'S WORDS:
        • Before this point the user asked last: "2" to "Oak or pine? (2. pine)"

      ➡️ NEXT STEP:
        • Next, at this point: make \`npm test\` pass: Error: water in src/hull.ts; the last change was at src/hull.ts

      COMPACTION RULES:
        1. Include ALL active/in-progress tasks with their current status
        2. Include the complete modified files list
        3. Preserve all key decisions — these explain WHY things were done
        4. Note any unresolved errors so work can resume correctly
        5. Keep the git diff summary so the state of changes is clear
        6. For PRE-COMPUTED SUMMARIES: use them verbatim, do not re-summarize
        7. Preserve next steps and in-progress work state
        8. Do NOT discard any pending/in-progress task context
      ════════════════════════════════════════════"
    `);
  });

  it("has its open tasks, its proof and its rules next to a ledger", () => {
    expect(renderStandingRecord(boat, { root: "/p" })).toMatchInlineSnapshot(`
      "The conversation before this point was replaced by this record. Read a file again before editing it.
      Before this point the user asked last: "2" to "Oak or pine? (2. pine)"
      Next, at this point: make \`npm test\` pass: Error: water in src/hull.ts; the last change was at src/hull.ts
      Open tasks at this point, next first:
      - in progress: Rig it
      - Paint it"
    `);
  });

  it("stands where its list, its words and its calls say", () => {
    const { open, inProgress, closed, done, blocked, errors, fixed, decisions, ...rest } = findContinuation(boat);
    const name = (items: typeof open) =>
      items.map(({ id, subject, status, source }) => `${id} ${source} ${status}: ${subject}`);
    expect({
      ...rest,
      open: name(open),
      inProgress: name(inProgress),
      closed: name(closed),
      done: name(done),
      errors: [blocked, errors, fixed].map((list) => list.map(({ attempt }) => attempt)),
      decisions: decisions.map(({ text, by }) => `${by}: ${text}`),
    }).toMatchInlineSnapshot(`
      {
        "closed": [
          "todo:Plank the hull tasks done: Plank the hull",
          "todo:Name it tasks cancelled: Name it",
        ],
        "decisions": [
          "person: Oak or pine? (2. pine) → 2",
          "model: I decided to use tar for src/hull.ts because oil is thin.",
        ],
        "done": [
          "todo:Plank the hull tasks done: Plank the hull",
        ],
        "errors": [
          [
            "npm test",
          ],
          [
            "npm test",
          ],
          [
            "npm run build",
          ],
        ],
        "inProgress": [
          "todo:Rig it tasks active: Rig it",
          "episode:1 person active: "2" to "Oak or pine? (2. pine)"",
        ],
        "next": {
          "action": "make \`npm test\` pass: Error: water in /p/src/hull.ts; the last change was at /p/src/hull.ts",
          "evidence": "call:toolu_0000c13",
          "kind": "failure",
        },
        "open": [
          "todo:Rig it tasks active: Rig it",
          "episode:1 person active: "2" to "Oak or pine? (2. pine)"",
          "todo:Paint it tasks open: Paint it",
        ],
        "task": "Rig it",
        "taskAge": 0,
      }
    `);
  });
});
