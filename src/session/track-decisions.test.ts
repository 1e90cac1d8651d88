/** If red: decisions are missing from the record, or ordinary sentences are listed as decisions. */
import { describe, expect, it } from "vitest";
import { asks, type Beat, calls, edits, follow, runs, says } from "../../test/support/session-story.ts";
import { DECISION_SIGNALS, isDecision } from "./decision-signals.ts";

/** For every signal word a sentence that tells a decision with it. */
const SAID: Readonly<Record<string, string>> = {
  decided: "We decided to use PKCE for public clients.",
  decision: "Design decision: one file per layer, never two.",
  chose: "I chose SQLite, it needs no server.",
  chosen: "The chosen approach keeps the old API.",
  choosing: "I'm choosing the smaller bundle here.",
  opted: "I opted for a map over a list.",
  "going with": "I'm going with option B for the cache.",
  "went with": "We went with plain functions in the end.",
  "settled on": "We settled on two retries with backoff.",
  "will use": "We will use HS256, not RS256, in the tests.",
  "instead of": "Let me use a queue instead of polling.",
  "rather than": "I'll keep the old name rather than break callers.",
  "in favor of": "I dropped the helper in favor of a constant.",
  because: "I kept the flag because the CLI still reads it.",
  since: "I'll pass true for force since the user confirms anyway.",
  "so that": "We store the hash so that a replay is cheap.",
  "to avoid": "I moved the check to avoid a second request.",
  "switched to": "I switched to exact matching, not substrings.",
  replaced: "Replaced the regex with a parser because it backtracks.",
  kept: "Kept `hero.png` because the social card needs it.",
  must: "We must never write to main because of the hook.",
  never: "We never store the token, so that a leak is harmless.",
  always: "We always use UTC rather than local time.",
  "note:": "Note: kept the old field because clients read it.",
};

/** No option has a label as long as this. */
const FREE = "the mast that you see there is the old one, which everybody takes for the new one at first";

describe("decisions", () => {
  it("[R171] are announced by 24 signal words, each of which is heard", () => {
    expect(DECISION_SIGNALS.length).toBe(24);
    expect(DECISION_SIGNALS.filter((signal) => !isDecision(SAID[signal] ?? ""))).toEqual([]);
  });

  it.each([
    "Because floats lose cents, integers are used.",
    "Never write into vendor.",
    "Note: the port is 4100.",
    "Must keep the API stable.",
    "Always run the linter before a commit.",
  ])("[R171] are heard where the word opens the sentence: %s", (sentence) => {
    expect(isDecision(sentence)).toBe(true);
  });

  it.each([
    "Let me check how the cache works since it may be stale.",
    "The test fails because the port is taken.",
    "Should I use a queue instead of polling?",
    "We could use Redis instead of a file.",
    "I found the root cause: it never resets.",
    "You're right, it must be the other branch.",
    "Now I need to remove the import since it is no longer used.",
    "| file | uses X instead of Y |",
    "Now update the parser to accept a list instead of a string:",
  ])("are not heard in: %s", (sentence) => {
    expect(isDecision(sentence)).toBe(false);
  });

  it("come with their reason and the files they name", () => {
    const { decided } = follow(says("I kept `src/auth/token.ts` because Next.js still imports it."));
    expect(decided.decisions).toMatchObject([
      { reason: "because Next.js still imports it.", files: ["src/auth/token.ts"], by: "model", request: 1 },
    ]);
  });

  it("that name no file are about the one changed right then, not about later ones", () => {
    const { decided } = follow(
      says("I'll use a queue instead of polling."),
      edits("/p/queue.ts"),
      edits("/p/later.ts"),
    );
    expect(decided.decisions.map(({ files }) => files)).toEqual([["/p/queue.ts"]]);
  });

  it("of the person are their answers and the plans they approve", () => {
    const { decided } = follow(
      calls(
        "AskUserQuestion",
        { questions: [] },
        'User has answered your questions: "Which store?"="SQLite", "More?"="Next area".',
      ),
      calls("ExitPlanMode", { plan: "\n# Move to SQLite\n\nSteps" }, "User has approved your plan."),
      calls("ExitPlanMode", {}, "User has approved your plan.\n## Approved Plan:\n# From the file\n"),
      calls("ExitPlanMode", { plan: "# Refused" }, "The user doesn't want to proceed with this tool use.", {
        isError: true,
      }),
    );
    expect(decided.decisions.map(({ text, by }) => [by, text])).toEqual([
      ["person", "Which store? → SQLite"],
      ["person", "Plan approved: Move to SQLite"],
      ["person", "Plan approved: From the file"],
    ]);
  });

  it("of the person are the options they take, and sentences that choose, rule out or lay down", () => {
    const options = says("Which one?\n\n1. oakum\n2. cotton, which is lighter");
    const { decided } = follow(
      options,
      asks("2"),
      says("Shall I start?"),
      asks("yes"),
      asks("use my fork instead. The bow leaks still."),
      asks("no commits to main, ever!"),
      asks("can we use tar rather than pitch?"),
      asks("I don't see the keel"),
      asks("docker doesn't work here, use podman"),
    );
    expect(decided.decisions.map(({ text, by }) => [by, text])).toEqual([
      ["person", "Which one? (2. cotton, which is lighter) → 2"],
      ["person", "no commits to main, ever!"],
    ]);
  });

  it("[R197] of the person are only guessed from an 'instead', a 'let us' and an answer in free words", () => {
    const { decided } = follow(
      asks("use my fork instead. The bow leaks still."),
      asks("let's drop the second mast"),
      calls("AskUserQuestion", { questions: [] }, "User responded: that would need a second mast"),
      calls("AskUserQuestion", { questions: [] }, `User has answered your questions: "Which mast?"="${FREE}".`),
    );
    expect(decided.decisions).toEqual([]);
    expect(decided.perhaps?.map(({ text }) => text)).toEqual([
      "use my fork instead.",
      "let's drop the second mast",
      "User responded: that would need a second mast",
      `Which mast? → ${FREE}`,
    ]);
  });

  it("of the person are no numbers that pick a line of a list, and no commands", () => {
    const list = says("1. Patch the sail\n2. Paint the hull\n\nReply with a number to view the details, or q to exit");
    expect(follow(list, asks("2")).decided.decisions).toEqual([]);
    expect(follow(says("Oak or pine?"), asks("/theme")).decided.decisions).toEqual([]);
  });

  it("of the person are their words on a plan that they send back, which is no failed approach", () => {
    const refusal =
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno new dependency, the rest I agree";
    const { decided } = follow(calls("ExitPlanMode", { plan: "# X" }, refusal, { isError: true }));
    expect(decided.decisions.map(({ text }) => text)).toEqual(["On the plan: no new dependency, the rest I agree"]);
    expect(decided.failedApproaches).toEqual([]);
  });

  it("of the person are no leave to go on, no talk about the talk and nothing undecided", () => {
    const answers = [
      '"Would you like me to draw it?"="Yes, draw it"',
      '"Which areas do you want to discuss?"="Bow, stern, keel, rudder, mast, sails and everything else there is"',
      '"Who steers?"="hmm, this would depend"',
      '"Which store?"="SQLite"',
    ].join(", ");
    const again = 'User has answered your questions: "Which store?"="Files".';
    const { decided } = follow(
      calls("AskUserQuestion", { questions: [] }, `User has answered your questions: ${answers}.`),
      calls("AskUserQuestion", { questions: [] }, again),
    );
    expect(decided.decisions.map(({ text }) => text)).toEqual(["Which store? → Files"]);
  });

  it("of the person are no leave for what was proposed, no heading of a paste and no telling what is seen", () => {
    const { decided } = follow(
      asks("confirm that the hull can take pine instead of oak"),
      asks("Pick the sail you'd prefer for your own boat."),
      asks("Log what was done, skip reasons, and what failed."),
      asks("go with the fix you found"),
      asks("Instead of lines 235-236:"),
      asks("The steps are right now, I can see each cell rather than a smooth slope"),
      asks("This makes the sum exact rather than a guess"),
      asks("ok, i think the sum doesn't keep the rule that a line must not be wider than its page"),
      asks("the sums should never be a guess"),
    );
    expect(decided.decisions.map(({ text }) => text)).toEqual(["the sums should never be a guess"]);
  });

  it("of the model are no steps with a reason, no list of what changed and no note inside an explanation", () => {
    const { decided } = follow(
      says("Let me first revert the file since it was changed directly."),
      says("Now use the email as the name instead of the id:"),
      says("Using `boat-care` because this is about seams."),
      says(
        "What changed:\n- **Uses** `text()` instead of `json()`\n- **Note:** the port is 4100.\n- Never edit `a.md`.",
      ),
      says("Since the table is new, I'll add it to the first migration rather than write another."),
    );
    expect(decided.decisions.map(({ text }) => text)).toEqual([
      "Since the table is new, I'll add it to the first migration rather than write another.",
    ]);
  });

  it("of the model do not stand when the person objects, or the model thinks better of it at once", () => {
    const chosen = [asks("store it"), says("I'll use a queue instead of polling.")];
    expect(follow(...chosen, asks("no, that's wrong")).decided.decisions).toEqual([]);
    expect(follow(...chosen, asks("it is small, we only poll here")).decided.decisions).toEqual([]);
    const again = [asks("no, that's wrong"), says("I'll use a queue instead of polling.")];
    expect(follow(...chosen, ...again).decided.decisions.length).toBe(1);
    const held = [asks("Let's not touch the queue just yet."), says("Understood.")];
    expect(follow(...held).decided.perhaps?.length).toBe(1);
    expect(follow(...held, asks("go ahead with the queue")).decided.perhaps).toEqual([]);
    expect(follow(...chosen, asks("thanks")).decided.decisions.length).toBe(1);
    expect(follow(...chosen, says("Actually, the queue is not there.")).decided.decisions).toEqual([]);
  });

  it("are told once, and kept to the last five hundred", () => {
    const repeated = [says("I'll use a queue instead of polling."), says("I'll use a queue instead of polling.")];
    expect(follow(...repeated).decided.decisions.length).toBe(1);
    const many = Array.from({ length: 505 }, (_, index) => says(`I'll use queue ${index} instead of polling.`));
    expect(follow(...many).decided.decisions.length).toBe(500);
  });
});

describe("failed approaches", () => {
  const lines = (...beats: readonly Beat[]) => follow(...beats).decided.failedApproaches.map(({ line }) => line);

  it("[R197] are what the model or the person says has failed, with the reason", () => {
    expect(lines(says("Polling the endpoint failed because the server closes idle sockets."))).toEqual([
      "tried Polling the endpoint, failed because the server closes idle sockets",
    ]);
    expect(lines(asks("A second cache did not work because both expire at once."))).toEqual([
      "tried A second cache, failed because both expire at once",
    ]);
  });

  it("[R197] are changes that were taken back, with the model's words for it", () => {
    const back = [
      edits("/p/hull.ts"),
      says("The seam opens under load, so back to oakum."),
      runs("git checkout -- hull.ts"),
    ];
    expect(lines(...back)).toEqual([
      "tried changes to hull.ts, failed because they were taken back: The seam opens under load, so back to oakum",
    ]);
    expect(lines(edits("/p/hull.ts"), runs("git commit -am tight", "1 file changed"), ...back.slice(1))).toEqual([]);
    expect(lines(...back.slice(1))).toEqual([]);
  });

  it("[R197] are no commands that fail, however often", () => {
    const failing = runs("make deploy", "error: no credentials", { exitCode: 1 });
    expect(lines(failing, failing, says("That didn't work. Let me try a different approach."))).toEqual([]);
  });

  it("are not suppositions, failing tests, or an unclear subject", () => {
    expect(
      lines(
        says("It would fail because the path is wrong."),
        says("The test failed because the port is taken."),
        asks("that failed because of you"),
      ),
    ).toEqual([]);
  });
});
