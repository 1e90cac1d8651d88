/** If red: the load of a live session is wrong, or counts again what is repeated after a compaction. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { isObject, type JsonObject, listField, objectField, textField } from "../../core/json.ts";
import { renderAttachment } from "../../hosts/claude-code/attachment-text.ts";
import { nameText, parseRow, type Row } from "../../hosts/claude-code/row-reader.ts";
import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import type { SessionState } from "../../session/session.ts";
import { readHappened } from "../cli/require-session.ts";
import { listKeys, parseRows } from "./compaction/compaction-event.ts";
import { createBase, createWatch, type Watch } from "./watch.ts";

const FIXTURES = path.resolve(import.meta.dirname, "../../../test/fixtures/claude-code/2.1.325");
const recordings = readdirSync(FIXTURES).filter((name) => name.endsWith(".jsonl"));

function readLines(file: string): readonly JsonObject[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return isObject(value) ? [value] : [];
      } catch {
        return [];
      }
    });
}

/** The row that the client had appended when it wrote a line; `undefined` for a line that is no row of the conversation. */
function toRow(line: JsonObject, toolOf: ReadonlyMap<string, string>): Row | undefined {
  const raw = objectField(line, "message") ?? {};
  const content = typeof raw.content === "string" ? [{ type: "text", text: raw.content }] : listField(raw, "content");
  const [first] = content;
  const isResult = isObject(first) && first.type === "tool_result";
  const common = { uuid: textField(line, "uuid"), agentId: textField(line, "agentId") };
  switch (line.type) {
    case "assistant":
      // An error of the API is the client's own and no answer: the client tells it as a notice.
      if (line.isApiErrorMessage === true) return undefined;
      return parseRow({
        ...common,
        door: "response",
        origin: { kind: "model", model: raw.model },
        message: { type: "assistant", content },
      });
    case "user":
      return parseRow({
        ...common,
        door: line.isCompactSummary === true ? "compaction" : isResult ? "tool-result" : "prompt",
        origin: isResult ? { kind: "tool", tool: toolOf.get(textField(first, "tool_use_id")) } : {},
        message: { type: "user", content, ...(line.isMeta === true && { isMeta: true }) },
      });
    case "attachment": {
      const attachment = objectField(line, "attachment") ?? {};
      const { text } = renderAttachment(line, attachment);
      if (text === "") return undefined;
      return parseRow({
        ...common,
        door: "attachment",
        message: { type: "attachment", name: attachment.type, content: [{ type: "text", text }] },
      });
    }
    case "system":
      if (line.subtype !== "compact_boundary") return undefined;
      return parseRow({ ...common, door: "compaction", message: { type: "system", name: line.subtype, content: [] } });
    default:
      return undefined;
  }
}

/** Follows a recording as the module would have: row by row, with the record of a result told before its row. */
function follow(lines: readonly JsonObject[]): Watch {
  const watch = createWatch();
  const toolOf = new Map<string, string>();
  for (const line of lines) {
    for (const block of listField(objectField(line, "message") ?? {}, "content").filter(isObject)) {
      if (block.type === "tool_use") toolOf.set(textField(block, "id"), textField(block, "name"));
      const record = objectField(line, "toolUseResult");
      if (block.type === "tool_result" && record) watch.note(textField(block, "tool_use_id"), record);
    }
    const row = toRow(line, toolOf);
    if (row) watch.row(row, Date.parse(textField(line, "timestamp")));
  }
  return watch;
}

/** What must agree: all that happened. The step's own id is the client's here and the API's there; how an answer stops no row tells. */
function compare({ currentStep: _, turn, ...state }: SessionState): Omit<SessionState, "currentStep"> {
  return { ...state, turn: turn && { ...turn, isTurnEnd: undefined } };
}

describe("a compaction that we answered", () => {
  it("counts once, whether the client tells its boundary or not", () => {
    const watch = createWatch();
    const boundary = parseRow({
      door: "compaction",
      uuid: "b",
      message: { type: "system", name: "compact_boundary", content: [] },
    });
    const prompt = parseRow({
      door: "prompt",
      uuid: "p",
      message: { type: "user", content: [{ type: "text", text: "On." }] },
    });
    if (!boundary || !prompt) throw new Error("no rows");
    watch.compacted(1);
    watch.row(boundary, 2);
    expect(watch.happened().state.compactions).toBe(1);
    watch.compacted(3);
    watch.row(prompt, 4);
    expect(watch.health().compactions).toBe(2);
    watch.row(boundary, 5);
    expect(watch.health().compactions).toBe(3);
  });
});

describe("the module's watch over a recorded session", () => {
  it("has recordings to watch", () => {
    expect(recordings.length).toBeGreaterThan(10);
  });

  it.each(recordings)("knows of %s what the transcript's reader knows of it", (name) => {
    const file = path.join(FIXTURES, name);
    const watched = follow(readLines(file)).happened();
    const read = readHappened(file);

    expect(compare(watched.state)).toEqual(compare(read.state));
    expect(watched.trail.calls).toEqual(read.trail.calls);
    expect(watched.trail.lastEdit).toEqual(read.trail.lastEdit);
    expect(watched.trail.request).toBe(read.trail.request);
  });

  it("ignores every row of a subagent", () => {
    const folder = path.join(FIXTURES, "subagents");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".jsonl"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const watched = follow(readLines(path.join(folder, file)));
      expect(watched.happened()).toEqual(createWatch().happened());
    }
  });

  it.each(recordings)("goes on in another process with %s where the first one stopped", (name) => {
    const lines = readLines(path.join(FIXTURES, name));
    const whole = follow(lines);
    const saved = JSON.parse(JSON.stringify(whole.save()));
    expect(createWatch(saved).happened()).toEqual(JSON.parse(JSON.stringify(whole.happened())));
  });
});

describe("what the module's watch measures", () => {
  const say = (watch: Watch, words: string, atMs: number): void => {
    const content = [{ type: "text", text: words }];
    const row = parseRow({ door: "response", uuid: `u${atMs}`, message: { type: "assistant", content } });
    if (row) watch.row(row, atMs);
  };
  const bound = (watch: Watch): void => {
    const row = parseRow({
      door: "compaction",
      uuid: "b",
      message: { type: "system", name: "compact_boundary", content: [] },
    });
    if (row) watch.row(row, 50);
  };
  const ask = (watch: Watch, words: string): void => {
    const row = parseRow({
      door: "prompt",
      uuid: words,
      message: { type: "user", content: [{ type: "text", text: words }] },
    });
    if (row) watch.row(row, 1);
  };
  const use = (watch: Watch, id: string): void => {
    const content = [{ type: "tool_use", id, name: "Bash", input: { command: "paint" } }];
    const row = parseRow({ door: "response", uuid: `use ${id}`, message: { type: "assistant", content } });
    if (row) watch.row(row, 1);
  };
  const bring = (watch: Watch, id: string): void => {
    const content = [{ type: "tool_result", tool_use_id: id, content: "painted" }];
    const row = parseRow({
      door: "tool-result",
      uuid: `bring ${id}`,
      origin: { tool: "Bash" },
      message: { type: "user", content },
    });
    if (row) watch.row(row, 1);
  };

  it("is nothing before the first answer", () => {
    const watch = createWatch();
    watch.measured(30_000, "claude-sonnet-4-6", 1);
    expect([watch.contextTokens(), watch.baseTokens(), watch.lastAnswerMs()]).toEqual([undefined, 0, undefined]);
  });

  it("finds the base of a conversation that it did not see begin, and finds it better after a compaction", () => {
    const watch = createWatch(undefined, undefined, { model: "claude-sonnet-4-6" });
    const words = "the hull is sound and the planks are dry. ".repeat(200);
    watch.events(
      Array.from({ length: 20 }, () => story().asks("Go on.").says(words)).flatMap((part) => [...part.events()]),
    );
    ask(watch, "one");
    say(watch, "First.", 10);
    const history = 20 * estimateTextTokens(words, tokenizerOf("claude-sonnet-4-6"));
    watch.measured(24_000 + Math.round(history * 1.1), "claude-sonnet-4-6", 11);
    const first = watch.baseTokens();
    expect(Math.abs(first - 24_000)).toBeLessThan(history * 0.2);

    watch.collapsed(1, { ledgerTokens: 400, recordTokens: 1_000 });
    watch.compacted(12);
    ask(watch, "two");
    say(watch, "Second.", 20);
    watch.measured(25_000, "claude-sonnet-4-6", 21);
    expect(Math.abs(watch.baseTokens() - 24_000)).toBeLessThan(200);
  });

  it("knows what of the base the client says in messages, also after a compaction and in a later process", () => {
    const watch = createWatch(undefined, undefined, { model: "claude-sonnet-4-6" });
    const skills = "a skill that rigs ships; ".repeat(400);
    const row = {
      door: "attachment",
      uuid: "skills",
      origin: {},
      message: { type: "attachment", name: "skill_listing" },
    };
    for (const [uuid, name] of [
      ["skills", "skill_listing"],
      ["later", "reminder"],
    ] as const)
      watch.row({ ...row, uuid, message: { ...row.message, name, content: [{ type: "text", text: skills }] } }, 1);
    ask(watch, "one");
    say(watch, "First.", 10);
    const tokens = estimateTextTokens(skills, tokenizerOf("claude-sonnet-4-6"));
    expect(Math.abs(watch.repeatedTokens() - tokens)).toBeLessThan(tokens / 100);
    watch.collapsed(1, { ledgerTokens: 400, recordTokens: 1_000 });
    watch.compacted(12);
    ask(watch, "two");
    say(watch, "Second.", 20);
    expect(createWatch(watch.save()).repeatedTokens()).toBe(watch.repeatedTokens());
    expect(watch.repeatedTokens()).toBeGreaterThan(0);
  });

  it("is the client's own number, an answer once, the first of them as what every request carries", () => {
    const watch = createWatch();
    ask(watch, "one");
    say(watch, "First.", 10);
    watch.measured(30_000, "claude-sonnet-4-6", 11);
    watch.measured(30_000, "claude-sonnet-4-6", 12);
    ask(watch, "two");
    say(watch, "Second.", 20);
    watch.measured(45_000, "claude-sonnet-4-6", 21);

    expect(watch.baseTokens()).toBe(30_000);
    expect(watch.lastAnswerMs()).toBe(20);
    expect(watch.contextTokens()).toBeGreaterThanOrEqual(45_000);
    expect(watch.contextTokens()).toBeLessThan(45_100);
    expect(watch.health().model).toBe("claude-sonnet-4-6");
  });

  it("came when it was said, although its size is told only when a long call's result comes", () => {
    const watch = createWatch();
    ask(watch, "one");
    say(watch, "First.", 10);
    watch.measured(30_000, "claude-sonnet-4-6", 10 + 12 * 60_000);
    expect(watch.lastAnswerMs()).toBe(10);
  });

  it("counts once what is told again after a compaction, in the process that followed it and in a later one", () => {
    const kept = [
      { role: "user", text: "Paint it.", toolUses: [] },
      { role: "assistant", text: "", toolUses: [{ tool_use_id: "c1", tool: "Bash", input: {} }] },
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "c1", text: "painted" }] },
    ];
    const reportKept = (watch: Watch): void => {
      ask(watch, "Paint it.");
      use(watch, "c1");
      bring(watch, "c1");
    };
    const first = createWatch();
    reportKept(first);
    const before = first.happened();
    for (const watch of [first, createWatch(JSON.parse(JSON.stringify(first.save())))]) {
      watch.expect(listKeys(parseRows(kept)));
      bound(watch);
      reportKept(watch);
      const after = watch.happened();
      expect(after.state.compactions).toBe(1);
      expect(after.state.words).toHaveLength(1);
      expect(after.trail.calls).toHaveLength(1);
      expect(after.trail.request).toBe(before.trail.request);
      expect(after.state.requests).toEqual(before.state.requests);
    }
  });

  it("is what the conversation weighs, too, and a later process goes on from it", () => {
    const tail = { keepExchanges: 3, maxTailTokens: 40_000 };
    const watch = createWatch();
    for (let index = 0; index < 6; index++) {
      use(watch, `c${index}`);
      bring(watch, `c${index}`);
    }
    const load = watch.load(tail);
    expect(load.old).toHaveLength(3);
    expect(createWatch(JSON.parse(JSON.stringify(watch.save()))).load(tail)).toEqual(load);
    bound(watch);
    expect(watch.load(tail)).toEqual({ ledgerTokens: 0, old: [], tailTokens: 0 });
  });

  it("does not weigh again what is told again after a compaction of ours, nor what we answered", () => {
    const tail = { keepExchanges: 3, maxTailTokens: 40_000 };
    const watch = createWatch();
    for (const id of ["c1", "c2", "c3", "c4"]) {
      use(watch, id);
      bring(watch, id);
    }
    const { tailTokens } = watch.load(tail);
    watch.expect(["call c2", "result c2", "call c3", "result c3", "call c4", "result c4"]);
    watch.collapsed(3, { ledgerTokens: 500, recordTokens: 500 });
    bound(watch);
    const content = [{ type: "text", text: "The record. ".repeat(100) }];
    const record = parseRow({ door: "note", uuid: "n", message: { type: "user", content } });
    if (record) watch.row(record, 1);
    for (const id of ["c2", "c3", "c4"]) {
      use(watch, id);
      bring(watch, id);
    }
    expect(watch.load(tail)).toEqual({ ledgerTokens: 500, old: [], tailTokens });
  });

  it("is as heavy as it was when the person types /compact, until it is answered", () => {
    const watch = createWatch();
    ask(watch, "Paint.");
    use(watch, "c1");
    watch.measured(90_000, "claude-sonnet-4-6", 1);
    const typed = parseRow({
      door: "note",
      uuid: "n",
      message: { type: "user", content: [{ type: "text", text: "/compact" }] },
    });
    if (typed) watch.row(typed, 1);
    expect(watch.health()).toMatchObject({ source: "usage", usedTokens: 90_000, compactions: 0 });
    watch.compacted(1);
    expect(watch.health()).toMatchObject({ source: "estimate", compactions: 1 });
  });

  it("does not take what the client still reports of the window before a compaction for the size of the new one", () => {
    const watch = createWatch();
    ask(watch, "Paint.");
    use(watch, "c1");
    watch.measured(90_000, "claude-sonnet-4-6", 1);
    watch.compacted(1);
    ask(watch, "Go on.");
    use(watch, "c2");
    expect(watch.measured(90_000, "claude-sonnet-4-6", 2)).toBe(false);
    expect(watch.health().source).toBe("estimate");
    expect(watch.measured(30_000, "claude-sonnet-4-6", 3)).toBe(true);
    expect(watch.health()).toMatchObject({ source: "usage", usedTokens: 30_000 });
    expect(watch.baseTokens()).toBeGreaterThan(25_000);
    expect(watch.baseTokens()).toBeLessThan(30_001);
  });

  it("lets the person say the same again after that", () => {
    const watch = createWatch();
    ask(watch, "continue");
    watch.expect([nameText("continue")]);
    bound(watch);
    ask(watch, "continue");
    expect(watch.happened().state.words).toHaveLength(1);
    ask(watch, "continue");
    expect(watch.happened().state.words).toHaveLength(2);
  });
});

describe("what every request begins with", () => {
  it("is the first request of a session that we saw begin, whatever later ones carry", () => {
    const base = createBase();
    base.measured(24_000, 0);
    base.measured(90_000, 50_000);
    expect(base.known()).toEqual({ baseTokens: 24_000, baseErrorTokens: 0 });
  });

  it("is found in a session that was begun without us, the better the longer it is followed", () => {
    const base = createBase();
    // The estimate is a tenth too low.
    const carry = (tokens: number): void => base.measured(24_000 + Math.round(tokens * 1.1), tokens);
    carry(40_000);
    expect(base.known().baseTokens).toBe(28_000);
    carry(50_000);
    expect(Math.abs(base.known().baseTokens - 24_000)).toBeLessThan(100);
  });

  it("is measured anew after a compaction, by the estimate as it was compared before", () => {
    const base = createBase();
    base.measured(24_000, 0);
    base.measured(84_000, 50_000);
    base.windowBegan();
    // Two thousand more tools, and ten thousand estimated tokens that weigh twelve.
    base.measured(38_000, 10_000);
    expect(base.known().baseTokens).toBe(26_000);
  });
});
