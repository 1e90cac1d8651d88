import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { tries } from "../../test/support/depth.ts";
import { createFakeClient } from "../../test/support/fake-client.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { engineProjectFiles } from "../doors/engine/engine-project-files.ts";
import type { StateSave } from "../survive/project-state/plan-state-save.ts";
import { STATE_FILES } from "../survive/project-state/state-files.ts";
import { nodeProjectFiles } from "./node-project-files.ts";
import { saveProjectState } from "./save-project-state.ts";

const temporary = createTemporaryFolder();
const DAY = 86_400_000;
const AT = Date.UTC(2026, 0, 2, 10, 20);

const word = fc.constantFrom("hull", "mast", "keel ü", "a|b", "# head", "", "line\nline", "- one\n- two", "0.7");
const entry = (...labels: readonly string[]) =>
  fc.record({ title: word, fields: fc.record(Object.fromEntries(labels.map((label) => [label, word]))) });
const save: fc.Arbitrary<StateSave> = fc.record(
  {
    "decisions.md": fc.array(entry("Context", "Decision", "Rationale", "Impact"), { maxLength: 3 }),
    "progress.md": fc.array(entry("Completed", "In Progress", "Blocked", "Next Session Should"), { maxLength: 1 }),
    "session-log.md": word,
    "instincts.md": fc.array(entry("Trigger", "Action", "Confidence", "Evidence"), { maxLength: 25 }),
    "learnings.jsonl": fc.array(
      fc.record({
        key: word,
        type: word,
        insight: word,
        confidence: fc.double({ min: 0, max: 1 }),
        files: fc.array(word),
      }),
      { maxLength: 4 },
    ),
    "checkpoint.md": entry("Git", "Decisions", "Left", "Context", "Resume"),
  },
  { requiredKeys: [] },
);

/** What a repository brings in the place of our files. */
const places = [...STATE_FILES, "archive.md", ".gitignore"];
const found = fc.dictionary(
  fc.constantFrom(...places),
  fc.constantFrom("text", "link", "long").map((kind) => kind),
  { maxKeys: 4 },
);
const isLong = (name: string): boolean => name !== "archive.md" && name !== ".gitignore";
const textOf = (kind: string): string => (kind === "long" ? "x".repeat(1_000_001) : "# Before\n\nwords\n");

it("leaves the same bytes through Node and through the client's engine, whatever lies there and is saved", async () => {
  await fc.assert(
    fc.asyncProperty(found, fc.array(save, { minLength: 1, maxLength: 4 }), async (before, saves) => {
      const project = temporary.name("-project");
      const folder = path.join(project, ".plimsoll");
      const outside = temporary.name(".txt");
      const fake = createFakeClient({ root: project });
      mkdirSync(project);
      writeFileSync(outside, "not ours");
      for (const [name, kind] of Object.entries(before)) {
        mkdirSync(folder, { recursive: true });
        const file = path.join(folder, name);
        const text = isLong(name) ? textOf(kind) : textOf("text");
        if (kind === "link") symlinkSync(outside, file);
        else writeFileSync(file, text);
        fake.files.set(file, kind === "link" ? "not ours" : text);
        if (kind === "link") fake.links.add(file);
      }
      for (const [index, left] of saves.entries()) {
        const nowMs = AT + index * 20 * DAY;
        await saveProjectState(nodeProjectFiles, project, left, nowMs);
        await saveProjectState(engineProjectFiles(fake.client), project, left, nowMs);
      }
      const names = existsSync(folder) ? readdirSync(folder).sort() : [];
      expect(names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")])).toEqual(
        [...fake.files].map(([file, text]) => [path.basename(file), text]).sort(),
      );
      expect(readFileSync(outside, "utf8")).toBe("not ours");
    }),
    { numRuns: tries(10, 150) },
  );
});
