/** If red: the ledger of a day's work says less than happened, or a number in it fetches something else. */
import { describe, expect, test } from "vitest";
import {
  assistant,
  call,
  conversation,
  failed,
  type MessageDraft,
  opaque,
  reminder,
  results,
  thinking,
  user,
} from "../../../test/support/build.ts";
import { renderDrafts } from "../../../test/support/render-drafts.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { nameSegments } from "./render-chunk.ts";

function render(drafts: readonly MessageDraft[], more: object = {}) {
  const { lines, sections } = renderDrafts(drafts, more);
  return { text: lines.join("\n"), sections: sections ?? new Map<string, string>() };
}

const bash = (command: string, more: object = {}) => call("Bash", { command, ...more });
const todo = (...rows: readonly (readonly [string, string])[]) =>
  call("TodoWrite", { todos: rows.map(([content, status]) => ({ content, status, activeForm: content })) });

const DAY: readonly MessageDraft[] = [
  user("Caulk the hull.\nMind the keel."),
  assistant(
    thinking("Where is the tar?"),
    "I look first.",
    bash("ls /w/hull"),
    call("Read", { file_path: "/w/hull/log.md", offset: 10, limit: 20 }),
  ),
  results("log.md\nplan.md", "10\tthe third plank leaks\n11\tthe pump is dry"),
  assistant(
    "Let me check the planks.",
    call("Grep", { pattern: "leak", path: "/w/hull" }),
    call("Glob", { pattern: "**/*.md" }),
  ),
  results("Found 2 files\n/w/hull/log.md\n/w/hull/plan.md", "No files found"),
  assistant(`The third plank leaks because its seam is open. ${"It was never caulked in spring. ".repeat(12)}`),
  user(reminder("A hook says: the tide is out.")),
  assistant(todo(["Caulk plank 3", "in_progress"], ["Paint", "pending"])),
  results("Todos have been modified successfully."),
  assistant(
    call("Edit", { file_path: "/w/hull/plan.md", old_string: "planks = 3", new_string: "planks = 5" }),
    call("Write", { file_path: "/w/new.md", content: "# Tar\n\nBoil it.\n" }),
  ),
  results("The file /w/hull/plan.md has been updated.", "File created successfully at: /w/new.md"),
  assistant(bash("npm test"), bash("npm test"), bash("make deck")),
  results(
    failed("Exit code 1\nFAIL hull.test.ts\n1 failed, 4 passed"),
    failed("Exit code 1\nFAIL hull.test.ts\n1 failed, 4 passed"),
    "x\n".repeat(300),
  ),
  assistant(
    bash("git commit -am 'Caulk plank 3'"),
    bash("git push"),
    call("WebFetch", { url: "https://example.test/tar", prompt: "How hot?" }),
  ),
  results(
    "[main 1a2b3c4] Caulk plank 3\n 1 file changed, 2 insertions(+)",
    "",
    "Hot enough to run: about 100 degrees.",
  ),
  assistant(
    call("Task", { description: "Survey", prompt: "Survey the deck and report.", subagent_type: "Explore" }),
    call("mcp__tide__ask", { port: "north" }),
  ),
  results("The deck is sound but for plank 9.", ["at noon", opaque("tide_table", { title: "north" })]),
  assistant(
    todo(["Caulk plank 3", "completed"], ["Paint", "in_progress"]),
    call("Unknown", { deep: { list: [1, 2] } }),
  ),
  results("Todos have been modified successfully.", ""),
  assistant("Done: the hull is tight.\n\n```ts\nexport const planks = 5;\n```"),
  user("And now the deck."),
  assistant(
    call("ExitPlanMode", { plan: "# Deck\n1. Sand it.\n2. Oil it." }),
    call("AskUserQuestion", {
      questions: [{ question: "Which oil?", header: "Oil", options: [{ label: "linseed" }, { label: "teak" }] }],
    }),
  ),
  results(
    "User has approved your plan. You can now start coding.",
    'User has answered your questions: "Which oil?"="linseed". You can now continue.',
  ),
  assistant(bash("sleep 99", { run_in_background: true })),
];

describe("a day's work in the ledger", () => {
  test("is a line for each thing that was done, the person's words, and what it came to", () => {
    const { text } = render(DAY);
    expect(text).toMatchInlineSnapshot(`
      "person: Caulk the hull.
        Mind the keel.
      assistant: I look first.
      1 Bash ls hull → "log.md\\nplan.md"
      2 Read hull/log.md:10-29 → "10\\tthe third plank leaks\\n11\\tthe pump is dry"
      3 Grep leak in hull → "Found 2 files\\n/w/hull/log.md\\n/w/hull/plan.md"
      4 Glob **/*.md → No files found
      5 assistant: The third plank leaks because its seam is open. It was never caulked in spring. (… 292 characters left out) was never caulked in spring. It was never caulked in spring. (432 chars)
      6 note: A hook says: the tide is out.
      8 Edit hull/plan.md: planks = 3 -> 5
      9 Write new.md: # Tar Boil it.
      10 Bash npm test → failed: "Exit code 1\\nFAIL hull.test.ts\\n1 failed, 4 passed"
      11 Bash npm test → failed: as #10
      12 Bash make deck → x (300 lines like this) | x (300 lines)
      13 Bash git commit -am 'Caulk plank 3' => "[main 1a2b3c4] Caulk plank 3\\n 1 file changed, 2 insertions(+)"
      14 Bash git push => nothing
      15 WebFetch url: https://example.test/tar, prompt: How hot? → Hot enough to run: about 100 degrees.
      16 Task Survey: Survey the deck and report. => report: The deck is sound but for plank 9.
      17 mcp__tide__ask port: north → "at noon\\n[tide_table north]"
      18 TodoWrite 1 of 2 done; now Paint → Todos have been modified successfully.
      19 Unknown deep: {"list":[1,2]} → nothing
      20 assistant: Done: the hull is tight. \`\`\`ts export const planks = 5; \`\`\`
      person: And now the deck.
      21 ExitPlanMode TASK: Deck 1. Sand it. 2. Oil it. => User has approved your plan. You can now start coding.
      22 AskUserQuestion => User has answered your questions: "Which oil?"="linseed". You can now continue.
      23 Bash sleep 99 → no result
      (#7 TodoWrite; #24 remarks)"
    `);
  });

  test("numbers what it stands for without a gap, and each number fetches that, word for word", () => {
    const { text, sections } = render(DAY);
    const numbers = [...text.matchAll(/^(\d+) |#(\d+) /gm)].map(([, line, left]) => Number(line ?? left));
    expect(numbers.sort((one, other) => one - other)).toEqual(numbers.map((_, at) => at + 1));
    const said = DAY.flatMap(({ role, blocks }) => (role === "user" ? blocks : []));
    const whole = said.flatMap((block) =>
      block.kind === "toolResult" && block.parts.every(({ kind }) => kind === "text")
        ? block.parts.map((part) => (part.kind === "text" ? part.text : ""))
        : [],
    );
    for (const result of whole) expect([...sections.values()]).toContain(result);
    expect(sections.get("24")).toBe("Let me check the planks.");
    expect(sections.get("thoughts")).toContain("Where is the tar?");
    expect(JSON.parse(sections.get("9i") ?? "")).toMatchObject({ content: "# Tar\n\nBoil it.\n" });
  });

  test("says less where it is to be brief, and fetches the same", () => {
    const [long, brief] = [render(DAY), render(DAY, { isBrief: true, briefCharacters: 40 })];
    expect(brief.text).toContain("12 Bash make deck → x\n");
    expect(brief.text).toContain("16 Task Survey: Survey the deck and… => report: The deck is sound but for plank 9.");
    expect(brief.sections).toEqual(long.sections);
  });

  test("tells of a result whose call is gone, and of a report that came as a note", () => {
    const interpretNote = (text: string) =>
      text.startsWith("report ") ? { isReport: true, text: text.slice(7) } : undefined;
    const drafts = conversation(
      user("Go on."),
      assistant(bash("true"), bash("pwd")),
      results("", "/w"),
      user(reminder("report plank 9 leaks"), reminder("the tide is out")),
      assistant("So it is."),
    ).map(({ role, blocks }) => ({ role, blocks: blocks.filter(({ kind }) => kind !== "toolCall") }));
    const { text } = render(drafts as readonly MessageDraft[], {
      vocabulary: { ...claudeCodeVocabulary, interpretNote },
    });
    expect(text).toMatchInlineSnapshot(`
      "person: Go on.
      1 a result whose call is missing → nothing
      2 a result whose call is missing → /w
      3 report: plank 9 leaks
      4 note: the tide is out
      assistant: So it is."
    `);
  });

  test("says of a failure what went wrong, once", () => {
    const pumped = `${"the pump sucks air\n".repeat(60)}and is dry`;
    const outputs = [pumped, `Exit code 3\n${pumped}`, "Exit code 3"].map((text) => failed(text));
    const { text, sections } = render([
      user("Pump."),
      assistant(...outputs.map((_, at) => bash(`pump ${at}`))),
      results(...outputs),
    ]);
    expect(text.split("\n").slice(1)).toEqual([
      "1 Bash pump 0 → failed: and is dry",
      "2 Bash pump 1 → failed: Exit code 3; and is dry",
      "3 Bash pump 2 → failed: Exit code 3",
    ]);
    expect(sections.has("thoughts")).toBe(false);
  });

  test("names lines that are left out by what they changed, then by what they ran", () => {
    const left = ["Bash ls hull → a", "Edit hull/plank.ts: 3 -> 5", "remarks", "Read hull/log.md → dry"];
    const named = nameSegments(left.map((call, at) => ({ number: at + 1, call })));
    expect(named).toMatchInlineSnapshot(`
      [
        {
          "first": 1,
          "label": "plank.ts, ls hull, log.md",
          "last": 4,
        },
      ]
    `);
    expect(nameSegments([{ number: 4, call: "remarks" }])).toEqual([{ first: 4, last: 4, label: "remarks" }]);
  });
});

describe("what the client says", () => {
  const report = (characters: number) =>
    `<task-notification><task-id>a1</task-id><status>completed</status><result>${"x".repeat(characters)}</result></task-notification>`;

  test.each<[string, string, string]>([
    ["of a short note every word", `A hook says:\n${"x".repeat(380)}`, `1 note: A hook says: ${"x".repeat(380)}`],
    ["as much as may be whole", "x".repeat(400), `1 note: ${"x".repeat(400)}`],
    ["of a longer one its beginning and its size", "x".repeat(401), `1 note: ${"x".repeat(79)}… (401 chars)`],
  ])("%s", (_, text, shown) => {
    const said = [user("go"), assistant("So it is with this hull."), user(reminder(text)), assistant("It holds now.")];
    expect(render(said).text.split("\n")[2]).toBe(shown);
  });

  test("of a subagent's report its findings", () => {
    expect(render([user("go"), assistant("On we go with it."), user(reminder(report(300)))]).text).toMatch(
      / report: .*x{300}/,
    );
  });
});

test.each<[number, string]>([
  [160, "assistant: "],
  [161, "1 assistant: "],
])("the model's words of %i characters have a number only where they are long", (characters, opening) => {
  const words = `The hull leaks at plank ${"x".repeat(characters - 24)}`;
  expect(render([user("go"), assistant(words), user("on")]).text.split("\n")[1]).toBe(`${opening}${words}`);
});
