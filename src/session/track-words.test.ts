/** If red: urgent words, constraints or corrections of the person are not kept. */
import { describe, expect, it } from "vitest";
import { asks, calls, follow, hostSays } from "../../test/support/session-story.ts";

function constraintsOf(text: string): readonly string[] {
  return follow(asks(text)).words.flatMap((words) => words.constraints);
}

describe("the person's words", () => {
  it("are kept word for word, whatever their spaces and lines", () => {
    const text = "  fix it,\n\n please   \u00e9\ud83d\ude00 ";
    expect(follow(asks(text)).words.map((words) => words.text)).toEqual([text]);
  });

  it("[R45] hold urgency and deadlines, verbatim", () => {
    const { words } = follow(asks("Please fix the login. It is urgent, by Friday. Thanks."));
    expect(words.flatMap((said) => said.urgency)).toEqual(["It is urgent, by Friday."]);
  });

  it("[R45] hold blockers, frustration and preferences, verbatim", () => {
    const { words } = follow(asks("this is a blocker for us. I already told you twice. I'd rather have one file."));
    expect(words.flatMap((said) => [said.urgency, said.frustrations, said.constraints])).toEqual([
      ["this is a blocker for us."],
      ["I already told you twice."],
      ["I'd rather have one file."],
    ]);
  });

  it.each([
    "do not touch the schema",
    "dont commit anything",
    "never push to main",
    "no commits directly to main, ever!!!",
    "only change the tests",
    "make sure it's in Project: Troy",
    "keep it under 200 lines",
    "use `migration_source_commit` as the field please",
    "I think its better not to store any PII in local storage.",
    "we are prerelease, we only do patch",
    "merge when CI passes",
    "leave the config alone",
    "I'd expect every cell to be a minor shade shift",
    "no emojis",
    "switch to a branch before you commit",
    "let's not make this change in this branch.",
  ])("bind what comes after: %s", (text) => {
    expect(constraintsOf(text)).toEqual([text]);
  });

  it("give each constraint as a sentence of its own, also where sentences begin small", () => {
    expect(constraintsOf("sorry continue. no commits to main! thanks for that.\n- never use sudo")).toEqual([
      "no commits to main!",
      "never use sudo",
    ]);
  });

  it.each(["how do I use this?", "```\nnever();\n```", '"value": "must-revalidate",', "const x = only(use);"])(
    "do not bind by questions, code or data: %s",
    (text) => {
      expect(constraintsOf(text)).toEqual([]);
    },
  );

  it.each([
    "no, the other file",
    "that's not the branch",
    "it still fails",
    "hmm, not quite",
    "you forgot the tests",
    "undo that",
    "use a map instead",
  ])("correct what was done: %s", (text) => {
    expect(follow(asks(text)).words.map((words) => words.isCorrection)).toEqual([true]);
  });

  it.each(["add a login page", "now write the docs", "no worries, go on"])(
    "ask for more without correcting: %s",
    (text) => {
      expect(follow(asks(text)).words.map((words) => words.isCorrection)).toEqual([false]);
    },
  );

  it("include what was said in refusing a call, and leave out what the host says", () => {
    const refusal =
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse the old key";
    const { words } = follow(
      calls("Bash", { command: "x" }, refusal, { isError: true }),
      hostSays("<system-reminder>never stop</system-reminder>"),
      hostSays(
        "<command-message>init</command-message> <command-name>/init</command-name> <command-args>fast</command-args>",
      ),
      hostSays("<command-name>/clear</command-name> <command-message>clear</command-message>"),
      asks("<ide_opened_file>The user opened a.ts.</ide_opened_file>"),
    );
    expect(words.map(({ text }) => text)).toEqual(["use the old key", "/init fast"]);
  });

  it("lose the middle of a paste of pages, never its ends", () => {
    const [words] = follow(asks(`start here ${"x ".repeat(20_000)} and never delete it`)).words;
    expect(words?.text.length).toBeLessThan(17_000);
    expect([words?.text.startsWith("start here"), words?.text.endsWith("and never delete it")]).toEqual([true, true]);
  });
});
