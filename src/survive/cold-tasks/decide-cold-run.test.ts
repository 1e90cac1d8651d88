import { expect, it } from "vitest";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { isColdTrigger } from "./decide-cold-run.ts";

it.each([
  ["Bash", true],
  ["Write", true],
  ["Edit", true],
  ["Read", false],
  ["Grep", false],
  ["TaskUpdate", false],
] as const)("[R157] looks for cold tasks after Bash, Write and Edit only: %s %s", (tool, isDue) => {
  expect(isColdTrigger(claudeCodeVocabulary.interpretCall(tool, {}))).toBe(isDue);
});
