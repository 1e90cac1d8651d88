/** If red: the next session goes on with what was already finished. */
import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import type { StateSave } from "./plan-state-save.ts";
import { toStateSave } from "./to-state-save.ts";

const progress = (saved: StateSave) => saved["progress.md"]?.[0]?.fields ?? {};
const checkpoint = (saved: StateSave) => saved["checkpoint.md"];

describe("what a next session is left", () => {
  it("[R118] [R119] is everything that the session shows, file by file", () => {
    const todo = (content: string, status: string) => ({ content, status, activeForm: content });
    const numbers = Array.from({ length: 17 }, (_, at) => at + 1);
    const begun = story()
      .asks("Build the boat and its mast. Never paint the keel in src/keel.ts.")
      .calls("Task", { description: "Caulk it", prompt: "…" }, "Caulked.")
      .calls(
        "TodoWrite",
        { todos: [todo("Plank it", "completed"), todo("Rig it", "in_progress"), todo("Sail", "pending")] },
        "ok",
      )
      .says("I decided to use tar for src/hull.ts because oil is thin.")
      .says("Oak or pine?\n\n1. oak\n2. pine")
      .asks("2")
      .calls("Bash", { command: "npm test" }, "Exit code 1\nAssertionError: water in the hull\n1 failed", {
        isError: true,
      })
      .calls("Edit", { file_path: "/p/hull.ts", old_string: "a", new_string: "b" }, "updated")
      .calls("Bash", { command: "npm test" }, "3 passed")
      .calls("Bash", { command: "gh pr merge 2 --rebase" }, "error: unknown option --rebase", { isError: true })
      .calls("Bash", { command: "gh pr merge 2 --squash" }, "merged");
    const session = numbers
      .reduce((told, at) => told.calls("Write", { file_path: `/p/f${at}.ts`, content: "x" }, "created"), begun)
      .calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: no keel in the yard", { isError: true });
    expect(toStateSave(session.happened(), { git: "main at 1a2b3c4", isEnd: true })).toMatchInlineSnapshot(`
      {
        "checkpoint.md": {
          "fields": {
            "Context": "Phase: not known
      Asked: "2" to "Oak or pine? (2. pine)"
      Files touched: /p/f3.ts, /p/f4.ts, /p/f5.ts, /p/f6.ts, /p/f7.ts, /p/f8.ts, /p/f9.ts, /p/f10.ts, /p/f11.ts, /p/f12.ts, /p/f13.ts, /p/f14.ts, /p/f15.ts, /p/f16.ts, /p/f17.ts and 3 more; subagents may have changed more files",
            "Decisions": "- Oak or pine? (2. pine) → 2
      - Never paint the keel in src/keel.ts.
      - I decided to use tar for src/hull.ts because oil is thin.",
            "Git": "main at 1a2b3c4",
            "Left": "- "2" to "Oak or pine? (2. pine)"
      - Sail",
            "Resume": "make \`npm run build\` pass: error: no keel in the yard; the last change was at /p/f17.ts",
          },
          "title": "Rig it",
        },
        "conventions.md": [
          {
            "fields": {
              "Applies to": "src/keel.ts",
              "Example": "",
              "Pattern": "Never paint the keel in src/keel.ts.",
            },
            "title": "Never paint the keel in src/keel.ts.",
          },
        ],
        "cumulative-notes.md": [],
        "decisions.md": [
          {
            "fields": {
              "Context": "",
              "Decision": "Never paint the keel in src/keel.ts.",
              "Impact": "src/keel.ts",
              "Rationale": "",
            },
            "title": "Never paint the keel in src/keel.ts.",
          },
          {
            "fields": {
              "Context": "asked: "Build the boat and its mast. Never paint the keel in src/keel.ts."",
              "Decision": "I decided to use tar for src/hull.ts because oil is thin.",
              "Impact": "src/hull.ts",
              "Rationale": "because oil is thin.",
            },
            "title": "I decided to use tar for src/hull.ts because oil is thin.",
          },
          {
            "fields": {
              "Context": "asked: "Build the boat and its mast. Never paint the keel in src/keel.ts."",
              "Decision": "Oak or pine? (2. pine) → 2",
              "Impact": "",
              "Rationale": "",
            },
            "title": "Oak or pine? (2. pine) → 2",
          },
        ],
        "instincts.md": [
          {
            "fields": {
              "Action": "\`gh pr merge 2 --squash\` worked",
              "Confidence": "0.4",
              "Evidence": "call:toolu_0000c8, then call:toolu_0000c9",
              "Trigger": "\`gh pr merge 2 --rebase\` fails: error: unknown option --rebase",
            },
            "title": "gh pr merge 2 --rebase",
          },
        ],
        "learnings.jsonl": [
          {
            "confidence": 0.4,
            "files": [
              "/p/hull.ts",
            ],
            "insight": "failed with "AssertionError: water in the hull"; passed after changes to /p/hull.ts",
            "key": "npm test",
            "type": "error",
          },
        ],
        "progress.md": [
          {
            "fields": {
              "Blocked": "- [ ] \`npm run build\`: error: no keel in the yard",
              "Completed": "- [x] Plank it",
              "In Progress": "- [ ] Rig it
      - [ ] "2" to "Oak or pine? (2. pine)"",
              "Next Session Should": "- make \`npm run build\` pass: error: no keel in the yard; the last change was at /p/f17.ts",
            },
            "title": "",
          },
        ],
        "session-log.md": ""Build the boat and its mast. Never paint the keel in src/keel.ts.": changed f15.ts, f16.ts, f17.ts, …, tests passed last",
        "task-notes.md": [
          {
            "isSettled": false,
            "section": "What's Left",
            "text": "Rig it",
          },
          {
            "isSettled": false,
            "section": "What's Left",
            "text": "Sail",
          },
          {
            "isSettled": true,
            "section": "What's Left",
            "text": "Plank it",
          },
        ],
      }
    `);
  });

  it("has nothing to do where the last prompt was answered", () => {
    const saved = toStateSave(story().asks("Paint the load line.").says("It is painted. All done.").happened(), {
      git: "",
      isEnd: false,
    });
    expect(progress(saved)["Next Session Should"]).toBe("none recorded");
    expect(checkpoint(saved)?.fields).toMatchObject({ Resume: "no open task is recorded", Left: "" });
  });

  it("has the request that nobody answered", () => {
    const saved = toStateSave(story().asks("Paint the load line.").happened(), { git: "", isEnd: false });
    expect(progress(saved)["Next Session Should"]).toContain("Paint the load line.");
  });

  it("[R46] [R48] never waits for a result: where no call is under way it had come back", () => {
    const saved = toStateSave(story().asks("Paint the load line.").calls("Bash", { command: "npm test" }).happened(), {
      git: "",
      isEnd: false,
    });
    expect(JSON.stringify(saved)).not.toContain("come back");
    expect(progress(saved)["Next Session Should"]).toContain("Paint the load line.");
  });

  it("[R119] names what is blocked by an error that nothing has resolved", () => {
    const saved = toStateSave(
      story().asks("Build it.").calls("Bash", { command: "make all || true" }, "make: *** [all] Error 1").happened(),
      { git: "", isEnd: false },
    );
    expect(progress(saved).Blocked).toBe("- [ ] `make all`: make: *** [all] Error 1");
  });

  it("[R46] goes on from what the model set about, in its own words", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .says("The bow is done. Now let me caulk the stern.")
      .calls("Bash", { command: "echo oakum" }, "oakum");
    const saved = toStateSave(session.happened(), { git: "main at 1a2b3c4", isEnd: false });
    expect(checkpoint(saved)?.fields).toMatchObject({
      Git: "main at 1a2b3c4",
      Resume: expect.stringMatching(
        /^finish "Make the hull tight before spring\."; the model last said: "The bow is done\. Now let me caulk the stern\."/,
      ),
    });
  });

  it("[R46] is named after the newest request that says something, not after a yes", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .says("Shall I?")
      .asks("Yes")
      .says("Now let me caulk it.");
    expect(checkpoint(toStateSave(session.happened(), { git: "", isEnd: false }))?.title).toBe(
      "Make the hull tight before spring.",
    );
  });

  it("[R118] has a line for the log only when the session is over", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .calls("Write", { file_path: "/p/hull.txt", content: "oak" }, "File created successfully")
      .says("Done.")
      .happened();
    expect(toStateSave(session, { git: "", isEnd: false })["session-log.md"]).toBe("");
    expect(toStateSave(session, { git: "", isEnd: true })["session-log.md"]).toBe(
      '"Make the hull tight before spring.": changed hull.txt',
    );
  });

  it("[R119] keeps decisions with what they were made for, and no mere steps", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .says("I decided to use tar because oil is thin. I need to replace the plank since it is rotten.");
    expect(toStateSave(session.happened(), { git: "", isEnd: false })["decisions.md"]).toEqual([
      {
        title: "I decided to use tar because oil is thin.",
        fields: {
          Context: 'asked: "Make the hull tight before spring."',
          Decision: "I decided to use tar because oil is thin.",
          Rationale: "because oil is thin.",
          Impact: "",
        },
      },
    ]);
  });
});
