import fc from "fast-check";
import type { Happened } from "../../src/survive/record/continuation.ts";
import { arbitraryText, arbitraryUnits } from "./arbitrary-session.ts";
import { type Story, story } from "./story.ts";

type Step = (before: Story) => Story;

/** Words of any script and length, now and then with a demand in them. */
const arbitraryWords: fc.Arbitrary<string> = fc.oneof(
  arbitraryText,
  arbitraryUnits(40),
  fc.integer({ min: 1, max: 60 }).map((count) => `Never touch the ${"ledger ".repeat(count)}. It is urgent.`),
  fc.integer({ min: 1, max: 400 }).map((count) => "漢字を使う。".repeat(count)),
);

const arbitraryPath: fc.Arbitrary<string> = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9_.-]{1,24}$/), { minLength: 1, maxLength: 6 })
  .map((parts) => `/home/dev/project/${parts.join("/")}`);

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  arbitraryWords.map(
    (text): Step =>
      (before) =>
        before.asks(text),
  ),
  arbitraryWords.map(
    (text): Step =>
      (before) =>
        before.says(`We decided to use it because ${text}`),
  ),
  fc.tuple(arbitraryPath, fc.constantFrom("Read", "Write", "Edit"), arbitraryWords).map(
    ([file_path, tool, text]): Step =>
      (before) =>
        before.calls(tool, { file_path, content: text, new_string: text }, text),
  ),
  fc.tuple(fc.constantFrom("npm test", "ls", "cargo test --all"), arbitraryWords, fc.boolean()).map(
    ([command, text, isError]): Step =>
      (before) =>
        before.calls("Bash", { command: `${command} ${text}` }, isError ? `Exit code 1\nError: ${text}` : text, {
          isError,
        }),
  ),
  arbitraryWords.map(
    (subject): Step =>
      (before) =>
        before.calls("TodoWrite", { todos: [{ content: subject, status: "in_progress" }] }, "ok"),
  ),
  arbitraryUnits(12).map(
    (tool): Step =>
      (before) =>
        before.calls(`mcp__${tool}`, { about: tool }),
  ),
);

/** Sessions of every kind of thing that a record speaks of, from none to more than any budget holds. */
export const arbitraryHappened: fc.Arbitrary<Happened> = fc
  .oneof(fc.array(arbitraryStep, { maxLength: 12 }), fc.array(arbitraryStep, { minLength: 60, maxLength: 90 }))
  .map((steps) => steps.reduce((before, step) => step(before), story()).happened());
