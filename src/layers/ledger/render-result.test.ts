/** If red: words that carry a finding are dropped from the ledger, or filler fills it. */
import { describe, expect, test } from "vitest";
import { assistant, call, conversation, failed, image, opaque, results } from "../../../test/support/build.ts";
import { plainVocabulary } from "../history/vocabulary.ts";
import { cutMiddle, dropNarration, type ResultOptions, renderResult } from "./render-result.ts";

const HANDLE = "plimsoll:0123456789ab";
const PICTURE = `[picture ${HANDLE} 9 KB]`;
/** Longer than what is shown of any result, without a word that is looked for. */
const LONG = Array.from({ length: 60 }, (_, at) => `plank ${"abcdefghij"[at % 10]} of oak`).join("\n");

function resultOf(draft: ReturnType<typeof results>) {
  const [, block] = conversation(assistant(call("Bash")), draft).flatMap(({ blocks }) => blocks);
  if (block?.kind !== "toolResult") throw new Error("the test has no result");
  return block;
}

function render(reports: ResultOptions["reports"], text: string, options: Partial<ResultOptions> = {}) {
  return renderResult(resultOf(results(text)), text, { reports, room: 300, vocabulary: plainVocabulary, ...options });
}

function renderFailed(text: string, options: Partial<ResultOptions> = {}) {
  const result = resultOf(results(failed(text)));
  return renderResult(result, text, { reports: "look", room: 300, vocabulary: plainVocabulary, ...options });
}

const x = (characters: number): string => "x".repeat(characters);

describe("what is shown of a result", () => {
  test.each<[string, ResultOptions["reports"], string, Partial<ResultOptions>, string | RegExp]>([
    ["a short answer is whole", "look", "two planks", {}, "two planks"],
    ["a few lines are whole", "look", `${x(60)}\n${x(60)}\n${x(60)}`, {}, /^"x{60}\\nx{60}\\nx{60}"$/],
    ["five lines are not", "look", [1, 2, 3, 4, 5].map(() => x(30)).join("\n"), {}, /\(5 lines\)$/],
    ["of a change nothing is shown", "action", LONG, {}, ""],
    ["of a change its picture is", "action", `${LONG}\n${PICTURE}`, {}, PICTURE],
    ["of a plan nothing is shown", "plan", LONG, {}, ""],
    ["of a written file that says nothing, too", "wrote", " \n ", {}, ""],
    ["an answer that says nothing is said", "look", "", {}, "nothing"],
    [
      "a picture is shown behind the words",
      "look",
      `${LONG}\n${PICTURE}`,
      {},
      new RegExp(`\\(61 lines\\) \\${PICTURE.slice(0, -1)}\\]$`),
    ],
    [
      "a marker is fetched by its own handle",
      "look",
      `[CLEARED: Read a.ts — ${x(200)}; full text: ${HANDLE}]`,
      {},
      `shortened before, ${HANDLE}`,
    ],
    [
      "and by the last one that it names",
      "look",
      `[CLEARED: Read plimsoll:aaaaaaaaaaaa — ${x(200)}; full text: ${HANDLE}]`,
      {},
      `shortened before, ${HANDLE}`,
    ],
    [
      "a changed file's marker, too",
      "action",
      `[CLEARED: Edit a.ts — ${x(200)}; full text: ${HANDLE}]`,
      {},
      `shortened before, ${HANDLE}`,
    ],
    [
      "a task is both ends, and is fetched first",
      "task",
      LONG,
      {},
      /^plank a of oak .* characters left out\) .* plank j of oak \(shown in part: recall it whole before you go on with it\) \(60 lines\)$/,
    ],
    ["a task that fits is whole", "task", LONG, { room: LONG.length }, LONG.replaceAll("\n", " ")],
    [
      "a report that fits is whole, without its filler",
      "brief",
      `Let me look.\n${LONG}`,
      { room: 2_000 },
      LONG.replaceAll("\n", " "),
    ],
    [
      "a longer report is both ends",
      "brief",
      LONG,
      { room: 200 },
      /^plank a of oak .* characters left out\) .* plank j of oak \(60 lines\)$/,
    ],
    [
      "of a commit its line",
      "landmark",
      `${LONG}\n[main 1a2b3c4] Tar the hull`,
      {},
      "[main 1a2b3c4] Tar the hull (61 lines)",
    ],
    [
      "a short read is whole, without its numbers",
      "read",
      [...Array(30).keys()].map((at) => `${at}→plank`).join("\n"),
      {},
      /^(plank ){30}\(30 lines\)$/,
    ],
    [
      "numbers of a text that is not numbered stay",
      "read",
      ["a", ...[...Array(30).keys()].map((at) => `${at}\tplank`)].join("\n"),
      { room: 500 },
      /^a 0 plank 1 plank/,
    ],
    [
      "of a long read the names",
      "read",
      `${LONG}\n## Tar\n## Oil\n## Caulk\n## Sail\n${LONG}`,
      { path: "a.md" },
      "## Tar, ## Oil, ## Caulk, ## Sail (124 lines)",
    ],
    [
      "of a search the places",
      "look",
      `${["a.ts:1:x", "a.ts:2:x", "b.ts:3:x", "b.ts:4:x"].join("\n")}${x(200)}`,
      {},
      "4 hits: a.ts:1,2, b.ts:3,4 (4 lines)",
    ],
    ["of a test run the total", "look", `${LONG}\n 12 tests passed`, {}, "12 tests passed (61 lines)"],
    [
      "and what it found",
      "look",
      `${LONG}\nsrc/a.ts:3:4: loose plank\n1 error`,
      {},
      "1 error: src/a.ts:3:4: loose plank (62 lines)",
    ],
  ])("%s", (_, reports, text, options, shown) => {
    const { text: rendered, failed: isFailed } = render(reports, text, options);
    expect(isFailed).toBe(false);
    if (typeof shown === "string") expect(rendered).toBe(shown);
    else expect(rendered).toMatch(shown);
  });

  test.each<[ResultOptions["reports"], string, boolean]>([
    ["landmark", "[main 1a2b3c4] Tar", true],
    ["brief", LONG, true],
    ["task", LONG, true],
    ["action", "ok", false],
    ["plan", "ok", false],
    ["look", "ok", false],
    ["look", LONG, false],
    ["read", "ok", false],
    ["look", `${["a.ts:1:x", "a.ts:2:x", "b.ts:3:x", "b.ts:4:x"].join("\n")}${x(200)}`, true],
  ])("what %s gave stays as its segment grows old: %#", (reports, text, isLasting) => {
    expect(render(reports, text).isLasting ?? false).toBe(isLasting);
  });

  test.each<[string, string, Partial<ResultOptions>, string]>([
    ["the line that says why", `${LONG}\nerror: plank 3 is loose`, {}, "error: plank 3 is loose"],
    ["the exit code where nothing says why", `Exit code 3\n${LONG}\nthe end`, {}, "Exit code 3; the end"],
    ["findings once", `${LONG}\nsrc/a.ts:3:4: error: loose plank`, {}, "src/a.ts:3:4: error: loose plank"],
    [
      "findings behind the reason",
      `${LONG}\nsrc/a.ts:3:4: loose plank\nError: no tar`,
      {},
      "Error: no tar | src/a.ts:3:4: loose plank",
    ],
  ])("a failure is shown by %s", (_, text, options, shown) => {
    expect(renderFailed(text, options)).toEqual({ failed: true, text: shown, isLasting: false });
  });

  test("parts that nobody understands are named, and pictures by their kind", () => {
    const parts = [
      "words",
      image(),
      opaque("search", { tool_name: "find" }),
      opaque("page", { title: "Tar" }),
      opaque(""),
    ];
    const shown = renderResult(resultOf(results(parts)), "", {
      reports: "look",
      room: 300,
      vocabulary: plainVocabulary,
    });
    expect(shown.text).toBe(
      JSON.stringify(["words", "[image/png]", "[search find]", "[page Tar]", "[unknown]"].join("\n")),
    );
  });

  test("an old segment words only what it may keep", () => {
    const isBrief = true;
    expect(render("look", LONG, { isBrief }).text).toBe("x");
    expect(render("look", `${LONG}\nfailed: x`, { isBrief }).text).not.toBe("x");
    expect(render("look", `${LONG}\n => x`, { isBrief }).text).not.toBe("x");
    expect(render("look", `${LONG}\n${PICTURE}`, { isBrief }).text).toContain(PICTURE);
    expect(render("landmark", `${LONG}\n[main 1a2b3c4] Tar`, { isBrief }).text).toContain("[main 1a2b3c4] Tar");
    expect(renderFailed(`${LONG}\nerror: loose`, { isBrief }).text).toBe("error: loose");
  });

  test("of a folded result the best lines of its preview are shown, without their numbers", () => {
    const fold = (preview: string): string =>
      `[FOLDED: Bash output — 900 lines, 90000 chars]\nPreview (test output):\n${preview}\nFull output: ${HANDLE}`;
    const lines = ["1: all is well", "7: error: plank 3 is loose", "3 lines speak of oak", "8: error: no tar", x(200)];
    expect(render("look", fold(lines.join("\n"))).text).toBe(`error: plank 3 is loose (shortened before, ${HANDLE})`);
    expect(render("look", fold(`1: plank${x(130)}`)).text).toBe(`plank${x(130)} (shortened before, ${HANDLE})`);
    expect(render("look", fold(lines.join("\n")), { isBrief: true }).text).toBe(`shortened before, ${HANDLE}`);
  });
});

describe("words in passing", () => {
  test.each([
    "Let me check the logs.",
    "Now let me look at the hull.",
    "Good point, let me check and clean up.",
    "I'll run the tests again.",
    "Now update the header:",
    "Perfect! Let me verify it compiles.",
    "",
  ])("%j leaves nothing", (text) => {
    expect(dropNarration(text).trim()).toBe("");
  });

  test.each([
    "Now commit step 4.",
    "Also update `seal` to only count planks, not nails.",
    "Lastly, fix the hull.",
    "Found it!",
  ])("%j, whose call follows, leaves nothing", (text) => {
    expect(dropNarration(text).trim()).toBe("");
  });

  test.each([
    "Now update `seal` to take tar instead of oil.",
    "The hull leaks at the third plank.",
    "I'll use tar instead of oil because oil is thin.",
    "Remove nothing: the build fails without it.",
    "All 12 tests pass.",
  ])("%j stays as it is", (text) => {
    expect(dropNarration(text)).toBe(text);
  });

  test("a step with a number is no announcement", () => {
    const steps = "Two steps remain. 1. Add the key to the store. 2. Update the docs.";
    expect(dropNarration(steps)).toBe(steps);
    expect(dropNarration("That is all of phase 14. Let me test it.")).toBe("That is all of phase 14.");
  });

  test("a finding stays where an announcement goes with it", () => {
    expect(dropNarration("The port is 5177, not 5173. Let me restart the server.")).toBe("The port is 5177, not 5173.");
    expect(dropNarration("Let me see.\n\nThe key is missing.\n- Add it\n- or not")).toBe(
      "The key is missing. - Add it - or not",
    );
  });
});

test("of what nobody can have typed the beginning and the end stay, of anything else every word", () => {
  const text = `Mind this:\n${"word ".repeat(9000)}\nand go.`;
  const shown = cutMiddle(text);
  expect(shown.length).toBeLessThan(12_100);
  expect(shown.startsWith("Mind this:")).toBe(true);
  expect(shown.endsWith("and go.")).toBe(true);
  const plan = `# Plan\n${"1. Caulk the seam between the planks, then tar it.\n".repeat(200)}`;
  expect(cutMiddle(plan)).toBe(plan);
});
