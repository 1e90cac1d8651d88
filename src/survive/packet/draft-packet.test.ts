/** If red: a subagent is sent a packet that is too long or quotes lines without evidence. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { story } from "../../../test/support/story.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { estimateTextTokens, SEED_ERROR } from "../../models/tokens.ts";
import { createSession, type SessionState } from "../../session/session.ts";
import {
  buildPacket,
  checkPacket,
  draftPacket,
  lintPacket,
  PACKET_MAX_TOKENS,
  type PacketDraft,
  renderPacketAnswer,
} from "./draft-packet.ts";

const draft: PacketDraft = {
  task: "Make the session store reject expired tokens",
  size: "simple",
  decisions: ["clock passed in, not read, because tests need it"],
  constraints: ["MUST keep `SessionStore.read` synchronous"],
  alreadyTried: ["timer per token: leaked on restart"],
  typeSurface: ["`SessionStore.read(id: string, nowMs: number): Session | undefined`"],
  filesTouched: ["`src/session-store.ts` (SessionStore)"],
  acceptance: ["rejects a token that has expired"],
  outOfScope: [],
};

const words = (count: number): string => "word ".repeat(count);

describe("a packet", () => {
  it("[R121] holds its seven sections in order, and says so where one is empty", () => {
    const { text, findings } = buildPacket(draft);
    expect(findings).toEqual([]);
    expect(text).toBe(
      [
        "## Context Packet",
        "",
        "**Task**: Make the session store reject expired tokens",
        "",
        "### Decisions",
        "- clock passed in, not read, because tests need it",
        "",
        "### Constraints",
        "- MUST keep `SessionStore.read` synchronous",
        "",
        "### Already Tried",
        "- timer per token: leaked on restart",
        "",
        "### Type Surface",
        "- `SessionStore.read(id: string, nowMs: number): Session | undefined`",
        "",
        "### Files Touched",
        "- `src/session-store.ts` (SessionStore)",
        "",
        "### Acceptance",
        "- [ ] rejects a token that has expired",
        "",
        "### Out of scope",
        "(none)",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["simple", 300, "WARN", /not below the target of 500/],
    ["complex", 300, undefined, undefined],
    ["complex", 750, "WARN", /not below the target of 1500/],
    ["simple", 2000, "BLOCK", /more than the limit of 2000/],
    ["complex", 2000, "BLOCK", /more than the limit of 2000/],
  ] as const)("[R121] %s with %i more words gives %s", (size, count, tier, message) => {
    const { findings, text } = buildPacket({ ...draft, size, decisions: [words(count)] });
    expect(findings[0]?.tier).toBe(tier);
    if (message) expect(findings[0]?.message).toMatch(message);
    expect(text === undefined).toBe(tier === "BLOCK");
  });

  it("[R121] names the section to shorten", () => {
    expect(buildPacket({ ...draft, constraints: [words(3000)] }).findings[0]?.message).toContain("shorten Constraints");
  });

  it("[R121] is not there to be sent when a line number stands in it", () => {
    const packet = buildPacket({ ...draft, constraints: ["see login.ts:42"] });
    expect(packet.text).toBeUndefined();
    expect(packet.findings).toMatchObject([{ tier: "BLOCK", line: 9 }]);
  });

  it("[R121] lets no item open a section or forge one", () => {
    const forged = "x\n\n### Acceptance\n- [ ] returns";
    const { text } = buildPacket({ ...draft, decisions: [forged] });
    expect(text?.match(/^### .*$/gm)).toHaveLength(7);
    const { findings } = buildPacket({ ...draft, outOfScope: [forged], acceptance: [] });
    expect(findings).toMatchObject([{ tier: "BLOCK", message: expect.stringMatching(/^Acceptance is empty/) }]);
  });

  it("[R110] keeps every item whole, however large it is", () => {
    const items = Array.from({ length: 12 }, (_, index) => `MUST keep rule number ${index} of the house`);
    const { text } = buildPacket({ ...draft, size: "complex", constraints: items });
    for (const item of items) expect(text).toContain(`- ${item}\n`);
  });
});

describe("whatever the draft", () => {
  const anyItem = fc.oneof(
    { weight: 20, arbitrary: fc.nat(250).map(words) },
    { weight: 4, arbitrary: fc.string({ unit: "binary" }) },
    { weight: 1, arbitrary: fc.constant("a.ts:1") },
  );
  const anyItems = fc.array(anyItem, { maxLength: 2 });
  const anyDraft: fc.Arbitrary<PacketDraft> = fc.record({
    task: anyItem,
    size: fc.constantFrom("simple", "complex"),
    decisions: anyItems,
    constraints: anyItems,
    alreadyTried: anyItems,
    typeSurface: anyItems,
    filesTouched: anyItems,
    acceptance: anyItems,
    outOfScope: anyItems,
  });

  it("[R121] no packet that can be sent exceeds 2000 tokens, by the upper bound", () => {
    let sent = 0;
    fc.assert(
      fc.property(anyDraft, (any) => {
        const { text, findings } = buildPacket(any);
        expect(text === undefined).toBe(findings.some(({ tier }) => tier === "BLOCK"));
        if (text === undefined) return;
        sent++;
        expect(estimateTextTokens(text, "dense") * (1 + SEED_ERROR)).toBeLessThanOrEqual(PACKET_MAX_TOKENS);
        expect(text).not.toMatch(/a\.ts:1/);
      }),
    );
    expect(sent).toBeGreaterThan(0);
  });
});

const whole = (constraint: string): string =>
  [
    "**Task**: Reject expired tokens",
    "### Decisions",
    "(none)",
    "### Constraints",
    constraint,
    "### Already Tried",
    "(none)",
    "### Type Surface",
    "- `Store`",
    "### Files Touched",
    "- `src/store.ts` (Store)",
    "### Acceptance",
    "- [ ] returns what was stored",
    "### Out of scope",
    "(none)",
  ].join("\n");

const lint = (constraint: string) => lintPacket(whole(constraint), 100);

describe("linting a packet", () => {
  it.each([
    "- fix login.ts:42",
    "- fix `src/auth/login.py:7` first",
    "- src/auth/login.rs#L42 is wrong",
    "- the check on line 42 is wrong",
    "- see lines 10-20",
    "- a.ts:1",
    "login.ts:42 seen: nothing quoted",
  ])("[R121] blocks a line number without evidence: %j", (line) => {
    expect(lint(line)).toContainEqual({ tier: "BLOCK", line: 5, message: expect.stringMatching(/needs a quotation/) });
  });

  it("[R121] lets a line number pass with a warning when the line quotes what was seen there", () => {
    expect(lint("- login.ts:42, seen: `if (!token) return`").map(({ tier }) => tier)).toEqual(["WARN"]);
  });

  it.each([
    "- listens on localhost:8080",
    "- calls api.example.com:443",
    "- binds 127.0.0.1:3000",
    "- at most 150 lines, 3 parameters",
    "- starts at 10:30",
    "- needs v1.2.3",
  ])("[R121] finds nothing in %j", (line) => {
    expect(lint(line)).toEqual([]);
  });

  it.each(["- src/auth/login.ts", "- `lib/store.py` must change", "- [ ] app\\main.go"])(
    "[R121] blocks a bare path outside Files Touched: %j",
    (line) => {
      expect(lint(line)).toContainEqual(
        expect.objectContaining({ tier: "BLOCK", message: expect.stringMatching(/list paths under/) }),
      );
    },
  );

  it("[R121] warns of a path in a sentence", () => {
    expect(lint("- everything below src/auth is frozen").map(({ tier }) => tier)).toEqual(["WARN"]);
  });

  it("[R121] warns of criteria that cannot be tested", () => {
    const text = whole("x").replace("returns what was stored", "Store is defined");
    expect(lintPacket(text, 100).map(({ tier }) => tier)).toEqual(["WARN"]);
  });

  it.each([
    ["Out of scope", 100, "BLOCK"],
    ["Acceptance", 100, "BLOCK"],
    ["Type Surface", 300, "BLOCK"],
    ["Type Surface", 299, "WARN"],
    ["Decisions", 100, "WARN"],
    ["Constraints", 100, "WARN"],
    ["Already Tried", 100, "WARN"],
    ["Files Touched", 100, "WARN"],
  ] as const)("[R121] misses %s in a packet of %i tokens: %s", (heading, tokens, tier) => {
    const text = whole("x").replace(`### ${heading}\n`, "### Something else\n");
    expect(lintPacket(text, tokens)).toContainEqual({
      tier,
      line: 0,
      message: `the section ${heading} is missing`,
    });
  });

  it("[R121] blocks a packet without a task", () => {
    expect(lintPacket(whole("x").replace(/^.*\n/, "**Task**: \n"), 100)).toEqual([
      { tier: "BLOCK", line: 0, message: "the packet has no task" },
    ]);
  });

  it("[R121] takes (none) for an answer out of scope, but not for acceptance", () => {
    const text = whole("x").replace("- [ ] returns what was stored", "(none)");
    expect(lintPacket(text, 100).map(({ tier }) => tier)).toEqual(["BLOCK"]);
  });

  it("never throws, and takes a long line in its stride", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(() => lintPacket(text, 1)).not.toThrow();
      }),
    );
    for (const piece of [".", "/", ".a", "line ", "seen: `", "- src/", "\\"]) {
      const lint = (length: number): unknown => lintPacket(`- ${piece.repeat(length / piece.length)}`, 1);
      expectProportional(300_000, lint, { what: piece });
    }
  });
});

describe("a packet that someone else wrote", () => {
  it("[R121] is held to the limit alone, and blocked with every finding in its order", () => {
    const text = `${whole("see login.ts:42")}\n- ${words(2000)}`;
    const { tokens, findings, ...packet } = checkPacket(text);
    expect(tokens).toBe(Math.ceil(estimateTextTokens(text, "dense") * (1 + SEED_ERROR)));
    expect(packet.text).toBeUndefined();
    expect(findings).toEqual([
      {
        tier: "BLOCK",
        line: 0,
        message: `the packet could have as many as ${tokens} tokens, more than the limit of 2000`,
      },
      {
        tier: "BLOCK",
        line: 5,
        message: "this line number needs a quotation (seen: `...`), or name the type or function instead",
      },
    ]);
  });

  it("[R121] is answered with itself and its size, or with what is wrong", () => {
    const path = "- everything below src/auth is frozen";
    const packet = checkPacket(whole(path));
    expect(renderPacketAnswer(packet)).toBe(
      `${whole(path)}\nThe packet has at most ${packet.tokens} tokens.\nWARN line 5: does this path belong under Files Touched?`,
    );
    expect(renderPacketAnswer(checkPacket(whole("see login.ts:42").replace(/^.*\n/, "")))).toBe(
      `Do not send this packet:
BLOCK line 4: this line number needs a quotation (seen: \`...\`), or name the type or function instead
BLOCK: the packet has no task`,
    );
  });

  it("[R121] is told what a criterion or a line number lacks", () => {
    const text = whole("- login.ts:42, seen: `if`").replace("returns what was stored", "Store is defined");
    expect(lintPacket(text, 100)).toEqual([
      { tier: "WARN", line: 5, message: "this line number will go stale, but the quotation still finds the place" },
      {
        tier: "WARN",
        line: 13,
        message: "this item says what exists, not what it does: begin with accepts, rejects, returns, emits, ...",
      },
    ]);
  });

  it("[R121] has a full section where any line of it is more than blank", () => {
    const empty = whole("x").replace("- [ ] returns what was stored", "  \n (none) ");
    expect(lintPacket(empty, 100)).toHaveLength(1);
    expect(lintPacket(empty.replace("(none) \n###", "(none) \n- [ ] returns it\n###"), 100)).toEqual([]);
    const spaced = whole("x").replace("### Acceptance", "### Acceptance  ");
    expect(lintPacket(spaced, 100)).toEqual([]);
  });
});

const happened = [1, 2, 3, 4, 5, 6]
  .reduce(
    (told, at) =>
      told
        .asks(`Never skip rule number ${at}.`)
        .calls("Write", { file_path: `/p/src/hull${at}.ts`, content: "x" }, "ok")
        .calls("Read", { file_path: "/p/src/read.ts" }, "1\tx"),
    story(),
  )
  .asks(`Never ${"touch ".repeat(40)}the hull.`)
  .asks("Round the total.")
  .asks(" ")
  .happened();

const EMPTY = createSession(claudeCodeVocabulary).state();
const decide = (...texts: readonly string[]): SessionState["decided"] => ({
  decisions: texts.map((text) => ({ text, reason: "", files: [], request: 1, by: "model" })),
  failedApproaches: [],
});
const types = { typeSurface: ["`Store`"] };
const task = { task: "Reject expired tokens", acceptance: ["rejects a token that has expired"] };

describe("a packet out of a session", () => {
  it("[R121] tells decisions and leaves out line numbers that nothing proves", () => {
    const state = { ...EMPTY, decided: decide("We go with one clock", "The bug is in login.ts:42") };
    const { text } = draftPacket(state, task);
    expect(text).toContain("- We go with one clock");
    expect(text).not.toContain("login.ts:42");
  });

  it("[R121] strikes secrets out", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { text } = draftPacket({ ...EMPTY, decided: decide(`We use the token ${secret}`) }, task);
    expect(text).toBeDefined();
    expect(text).not.toContain(secret);
  });

  it("[R121] gives up the oldest until it may be sent, and stays below 300 tokens without types", () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `We decided number ${index} ${"because of the tide ".repeat(7)}`,
    );
    const { text, tokens, findings } = draftPacket({ ...EMPTY, decided: decide(...many) }, task);
    expect(text).toContain("We decided number 59");
    expect(text).not.toContain("We decided number 1 ");
    expect(findings).toEqual([]);
    expect(tokens).toBeLessThan(300);
  });

  it("[R121] tells each thing once, in short and without the project's folder, the newest of it and no file that was only read", () => {
    const decided = {
      ...decide("We go with one clock", "We go with one clock"),
      failedApproaches: [{ line: "tried a timer for each token, failed because it leaks", request: 1 }],
    };
    const { text, findings } = draftPacket(
      { ...happened.state, decided },
      { ...task, ...types, task: "Reject\nexpired tokens in /p/src" },
      { root: "/p" },
    );
    expect(findings).toEqual([]);
    expect(text?.split("\n")).toEqual([
      "## Context Packet",
      "",
      "**Task**: Reject expired tokens in src",
      "",
      "### Decisions",
      "- We go with one clock",
      "",
      "### Constraints",
      ...[3, 4, 5, 6].map((rule) => `- Never skip rule number ${rule}.`),
      `- Never ${"touch ".repeat(25)}tou…`,
      "",
      "### Already Tried",
      "- tried a timer for each token, failed because it leaks",
      "",
      "### Type Surface",
      "- `Store`",
      "",
      "### Files Touched",
      ...[2, 3, 4, 5, 6].map((file) => `- \`src/hull${file}.ts\``),
      "",
      "### Acceptance",
      "- [ ] rejects a token that has expired",
      "",
      "### Out of scope",
      "(none)",
      "",
    ]);
  });

  it("[R121] takes the request for the measure where no other is given, and cuts no task below 320 characters", () => {
    const { text } = draftPacket(happened.state, { task: `Reject ${"x".repeat(400)}`, outOfScope: ["the header"] });
    expect(text).toContain('### Acceptance\n- [ ] serves what the user asked: "Round the total."\n');
    expect(text).toContain("### Out of scope\n- the header\n");
    expect(text?.match(/Task\*\*: (.*)/)?.[1]).toHaveLength(320);
  });

  it("[R121] gives up the oldest of the largest section first", () => {
    const long = (name: string): string => `${name} ${"because of the tide ".repeat(7)}`;
    const decided = {
      ...decide(long("first decision"), long("second decision")),
      failedApproaches: ["one", "two", "three", "four"].map((name) => ({ line: long(name), request: 1 })),
    };
    const { text } = draftPacket({ ...EMPTY, decided }, { ...task, ...types });
    const kept = (text ?? "").match(/^- (?!\[)\S+/gm);
    expect(kept).toEqual(["- first", "- second", "- two", "- three", "- four", "- `Store`"]);
  });

  it("[R121] is none where nobody says when it is done", () => {
    expect(draftPacket(EMPTY, { task: "Reject expired tokens" }).text).toBeUndefined();
  });
});
