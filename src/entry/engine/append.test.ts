/** If red: a large result enters the window unfolded in a live session, or is folded where its original was not kept. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { setAgreed } from "../../../test/support/agree.ts";
import { createFakeClient, type FakeClient } from "../../../test/support/fake-client.ts";
import type { JsonObject } from "../../core/json.ts";
import { followRow, measure, noteCall } from "./append.ts";
import { handleCompaction } from "./compaction/compact.ts";
import type { Live } from "./live.ts";
import { openLive } from "./open-live.ts";

const LONG = Array.from({ length: 1000 }, (_, index) => `plank ${index} is sound`).join("\n");

let fake: FakeClient;
let live: Live;
let stored: JsonObject[];
let count = 0;
beforeEach(async () => {
  fake = createFakeClient();
  live = await openLive(fake.client, fake.machine);
  stored = [];
});

/** Appends a row as the client does and gives back what was stored of it. */
async function append(entryPoint: string, content: readonly JsonObject[], more: JsonObject = {}): Promise<string> {
  const type = entryPoint === "response" ? "assistant" : "user";
  const e = {
    door: entryPoint,
    uuid: `u${++count}`,
    origin: { kind: "tool", tool: "Bash" },
    message: { type, role: type, content },
    ...more,
  };
  const answer = await followRow(fake.client, live, e, async (event) => {
    stored.push(event);
    return "kept";
  });
  expect(answer).toBe("kept");
  return JSON.stringify(stored.at(-1)?.message);
}
const text = (words: string): JsonObject => ({ type: "text", text: words });
const result = (id: string, content: string): JsonObject => ({ type: "tool_result", tool_use_id: id, content });
const call = (id: string, command: string): JsonObject => ({ type: "tool_use", id, name: "Bash", input: { command } });

async function actions(): Promise<readonly JsonObject[]> {
  const lines = fake.files.get(`${live.folder}/deeds-module.jsonl`)?.trimEnd().split("\n") ?? [];
  return lines.map((line) => JSON.parse(line));
}

describe("a row on its way into the conversation", () => {
  it("[R57] is combined with the four before it from the fifth of a command class on, where a person has set it", async () => {
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify({ combine: true }));
    live = await openLive(fake.client, fake.machine);
    const outputs = [1, 2, 3, 4, 5].map((number) => `search ${number}\n${"deck/plank.log: dry\n".repeat(150)}`);
    const kept: string[] = [];
    for (const [index, output] of outputs.entries()) {
      noteCall(live, `c${index}`, { command: `grep -rn ${index} deck` });
      kept.push(await append("tool-result", [result(`c${index}`, output)]));
    }
    expect(kept.slice(0, 4).join("")).not.toContain("[FOLDED");
    expect(kept[4]).toMatch(/\.md lines \d+-\d+ \(plimsoll:[0-9a-f]{12}\)/);
    const [artifact, ...more] = [...fake.files].filter(([place]) => place.endsWith("-Bash.md"));
    expect(more).toEqual([]);
    for (const output of outputs) expect(artifact?.[1]).toContain(output);
  });

  it("is stored folded where it is a large result, and everything else about it as it came", async () => {
    noteCall(live, "c1", { command: "make planks" });
    const kept = await append("tool-result", [result("c1", LONG)]);
    expect(kept).toContain("[FOLDED: Bash output");
    expect(stored[0]).toMatchObject({
      door: "tool-result",
      uuid: `u${count}`,
      message: { type: "user", role: "user" },
    });
    expect(live.totals).toMatchObject({ folds: 1, savedTokens: expect.toSatisfy((saved: number) => saved > 1000) });
    expect(await actions()).toMatchObject([{ kind: "folded", callId: "c1", event: "session.append" }]);
    const [record = ""] = [...fake.files.keys()].filter((place) => place.includes("/records/"));
    expect(fake.files.get(record)).toContain('"command":"make planks"');
  });

  it("is followed by the whole result, not by what is left of it in the window", async () => {
    await append("response", [call("c1", "make")]);
    await append("tool-result", [result("c1", LONG)]);
    expect(live.watch.happened().trail.calls).toMatchObject([
      { callId: "c1", characters: LONG.length, outcome: "done" },
    ]);
  });

  it("is handed on as the very object it was where there is nothing to fold", async () => {
    const e = { door: "prompt", uuid: "u", message: { type: "user", content: [text("Paint it. Be brief.")] } };
    await followRow(fake.client, live, e, async (event) => expect(event).toBe(e));
    const odd = { door: "prompt", message: "words" };
    await followRow(fake.client, live, odd, async (event) => expect(event).toBe(odd));
  });

  it("is not folded where the person has switched that off", async () => {
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, '{"fold": false}');
    live = await openLive(fake.client, fake.machine);
    expect(await append("tool-result", [result("c1", LONG)])).not.toContain("FOLDED");
  });

  it("is stored whole where its original could not be kept, and the journal says why", async () => {
    fake.block(`${fake.session.root}/.plimsoll`, "file");
    fake.block(`${fake.home}/.claude/data/plimsoll/artifacts`, "file");
    expect(await append("tool-result", [result("c1", LONG)])).not.toContain("FOLDED");
    expect(await actions()).toMatchObject([
      { kind: "declined", what: "fold", why: expect.stringContaining("cannot be written to the project") },
    ]);
  });

  it("[R201] of a subagent is folded too, and not followed", async () => {
    expect(await append("tool-result", [result("c1", LONG)], { agentId: "a1" })).toContain("FOLDED");
    await append("prompt", [text("Never touch the chain.")], { agentId: "a1" });
    expect(live.watch.happened().state.words).toEqual([]);
    expect(fake.statuses).toEqual([]);
  });

  it("that is a prompt brings along what is to be told: what a window must hold before it, what it asks for behind it", async () => {
    setAgreed(fake, `${fake.session.root}/.plimsoll/rules/style.md`, "Be brief.");
    let appendedBefore = -1;
    const e = { door: "prompt", uuid: "u", message: { type: "user", content: [text("Paint it. Be brief.")] } };
    await followRow(fake.client, live, e, async () => {
      appendedBefore = fake.appended.length;
    });
    expect(appendedBefore).toBe(1);
    expect(fake.appended).toHaveLength(2);
    expect(fake.statuses).toHaveLength(1);
  });

  it.each([
    ["a reminder", "prompt", "Paint it.", { message: { type: "user", isMeta: true, content: [text("Paint it.")] } }],
    ["a notice of the client", "prompt", "<task-notification>done</task-notification>", {}],
    ["an answer", "response", "Painted.", {}],
  ])("that is %s brings nothing along", async (_, entryPoint, words, more) => {
    setAgreed(fake, `${fake.session.root}/.plimsoll/rules/style.md`, "Be brief.");
    await append(entryPoint, [text(words)], more);
    expect(fake.appended).toEqual([]);
  });

  it("is measured where it is a result: what the last request carried", async () => {
    await append("prompt", [text("Paint it.")]);
    await append("response", [call("c1", "make")]);
    fake.session.usedTokens = 30_000;
    await append("tool-result", [result("c1", "ok")]);
    expect(live.watch.baseTokens()).toBe(30_000);
    expect(fake.statuses.at(-1)).toMatch(/^⊖ .* % of /);
  });

  it("lowers the line where the history has cost more than its rewriting, and says why to whoever answers it", async () => {
    await append("prompt", [text("Paint it.")]);
    for (let step = 0; step < 40; step++) {
      await append("response", [call(`c${step}`, `paint ${step}`)]);
      fake.session.usedTokens = 20_000 + step * 2_000;
      await append("tool-result", [result(`c${step}`, "plank ".repeat(650))]);
    }
    expect(fake.env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW")).toBe("100000");
    expect(live.steering.why).toMatch(/^resending \d+k tokens of old messages has cost as much/);
  });

  it("does not tell the agent to compact where a compaction is about to be made", async () => {
    await append("prompt", [text("Paint it.")]);
    for (let step = 0; step < 40; step++) {
      await append("response", [call(`c${step}`, `paint ${step}`)]);
      fake.session.usedTokens = step === 39 ? 185_000 : 20_000 + step * 2_000;
      await append("tool-result", [result(`c${step}`, "plank ".repeat(650))]);
    }
    expect(live.steering.why).not.toBe("");
    expect(fake.appended.filter((said) => said.includes("Run /compact now"))).toEqual([]);
  });

  it("weighs what is shown of a folded result, not the whole of it", async () => {
    await append("response", [call("c1", "make")]);
    expect(await append("tool-result", [result("c1", LONG.repeat(4))])).toContain("FOLDED");
    const tail = { keepExchanges: 3, maxTailTokens: 40_000 };
    const folded = live.watch.load(tail).tailTokens;
    expect(folded).toBeGreaterThan(100);
    expect(folded).toBeLessThan(6000);
    await append("response", [call("c2", "make")]);
    await append("tool-result", [result("c2", LONG.slice(0, 3_900))]);
    expect(live.watch.load(tail).tailTokens - folded).toBeGreaterThan(folded);
  });

  it("is folded as the person's policy says", async () => {
    const short = LONG.slice(0, 5000);
    expect(await append("tool-result", [result("c1", short)])).toContain("FOLDED");
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, '{"policy": "cautious"}');
    live = await openLive(fake.client, fake.machine);
    expect(await append("tool-result", [result("c1", short)])).not.toContain("FOLDED");
  });
});

describe("an output that the client put away", () => {
  const BIG = Array.from({ length: 8000 }, (_, index) => `plank ${index} is sound`).join("\n");
  const shown = (place: string): string =>
    `<persisted-output>\nOutput too large (150KB). Full output saved to: ${place}\n\nPreview (first 2KB):\n${LONG}\n</persisted-output>`;

  it("is read where the client puts the outputs of this session, and kept whole", async () => {
    const place = `${live.toolResults}b1.txt`;
    fake.files.set(place, BIG);
    expect(await append("tool-result", [result("c1", shown(place))])).toContain("8000 lines");
    expect([...fake.files].filter(([, kept]) => kept === BIG)).toHaveLength(2);
  });

  it.each([
    ".ssh/id_ed25519",
    "TOOLS/../../other/tool-results/b1.txt",
    "TOOLS/../../../../.ssh/id",
    "TOOLS-of-mine/b1.txt",
  ])("is never read from %s, which a text may name", async (named) => {
    const place = `${fake.home}/${named}`.replace(`${fake.home}/TOOLS`, live.toolResults.slice(0, -1));
    mkdirSync(live.toolResults, { recursive: true });
    fake.files.set(path.resolve(place), BIG);
    const kept = await append("tool-result", [result("c1", shown(place))]);
    expect(kept).toBe(JSON.stringify({ type: "user", role: "user", content: [result("c1", shown(place))] }));
    expect([...fake.files.keys()]).toEqual([path.resolve(place)]);
  });

  it("is left to the client's preview where it is a link, or larger than is worth reading", async () => {
    const place = `${live.toolResults}b1.txt`;
    fake.files.set(place, "x".repeat((16 << 20) + 1));
    const row = shown(place);
    expect(await append("tool-result", [result("c1", row)])).not.toContain("FOLDED");
    fake.files.set(place, BIG);
    fake.link(place);
    expect(await append("tool-result", [result("c2", row)])).not.toContain("FOLDED");
    expect(await actions()).toMatchObject(Array(2).fill({ kind: "declined", what: "fold" }));
  });
});

describe("a boundary in the conversation", () => {
  const bound = (): Promise<string> =>
    append("compaction", [], { message: { type: "system", name: "compact_boundary", content: [] } });
  const MODE = "=== Active Context: dev mode ===";
  beforeEach(async () => {
    fake.files.set(`${fake.home}/plugin/contexts/dev.md`, "Write code first.");
    setAgreed(fake, `${fake.session.root}/.plimsoll/active-context.md`, "dev");
    await append("prompt", [text("Paint it.")]);
    expect(fake.appended).toEqual([expect.stringContaining(MODE)]);
  });

  it("that somebody else has set has the mode told again with the next prompt", async () => {
    await bound();
    expect(fake.appended).toHaveLength(1);
    await append("prompt", [text("Go on.")]);
    expect(fake.appended[1]).toContain(MODE);
    await append("prompt", [text("And on.")]);
    expect(fake.appended).toHaveLength(2);
  });

  it.each([
    ["in the answer where the opening is gone", "", 1],
    ["in the opening that the client keeps", "h1", 0],
  ])("of a compaction that we have answered does not: the mode is %s", async (_, handle, times) => {
    const messages = [{ role: "user", text: "Paint it.", toolUses: [], handle }];
    const e = { trigger: "manual", messages };
    const answered = JSON.stringify(await handleCompaction(fake.client, live, e, async () => undefined));
    expect(answered.split(MODE)).toHaveLength(times + 1);
    await bound();
    await append("prompt", [text("Go on.")]);
    expect(fake.appended).toHaveLength(1);
    await bound();
    await append("prompt", [text("And on.")]);
    expect(fake.appended).toHaveLength(2);
  });

  it("of a compaction that we have answered is followed by rows that count once", async () => {
    await append("response", [call("c1", "paint")]);
    await append("tool-result", [result("c1", "painted")]);
    const messages = [
      { role: "user", text: "Paint it.", toolUses: [], handle: "h1" },
      { role: "assistant", text: "", toolUses: [{ tool_use_id: "c1", tool: "Bash", input: {} }], handle: "h2" },
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "c1", text: "painted" }], handle: "h3" },
    ];
    await handleCompaction(fake.client, live, { trigger: "auto", messages }, async () => undefined);
    await bound();
    await append("note", [text("the record")]);
    await append("prompt", [text("Paint it.")]);
    await append("response", [call("c1", "paint")]);
    await append("tool-result", [result("c1", "painted")]);
    const { state, trail } = live.watch.happened();
    expect([state.words.length, trail.calls.length, state.compactions]).toEqual([1, 1, 1]);
    await append("prompt", [text("Paint it.")]);
    expect(live.watch.happened().state.words).toHaveLength(2);
  });
});

describe("the load of the window", () => {
  const fill = async (): Promise<void> => {
    await append("prompt", [text("Paint it.")]);
    for (const [step, tokens] of [50_000, 110_000, 135_000, 136_000, 160_000].entries()) {
      await append("response", [call(`c${step}`, "paint")]);
      fake.session.usedTokens = tokens;
      await append("tool-result", [result(`c${step}`, "ok")]);
    }
  };

  it("puts nothing into the window of who wants no advice, however full it is", async () => {
    live = { ...live, settings: { ...live.settings, hasAdvisories: false } };
    await fill();
    expect(live.watch.health().level).toBe("RED");
    expect(fake.appended).toEqual([]);
  });

  it("is said with its figure, and asks for no few words", async () => {
    await fill();
    expect(live.watch.health().toolCalls).toBe(5);
    expect(fake.appended.length).toBeGreaterThan(0);
    expect(fake.appended.join()).not.toContain("Caveman");
  });

  it("asks for few words where the person lets it", async () => {
    live = { ...live, settings: { ...live.settings, density: "auto" } };
    await fill();
    expect(fake.appended.join()).toContain("Caveman mode is on");
  });
});

describe("a call that is about to run", () => {
  it("is remembered with what it was given, the last two hundred of them", () => {
    for (let index = 0; index < 250; index++) noteCall(live, `c${index}`, { command: `paint ${index}` });
    expect(live.inputs.size).toBe(200);
    expect([live.inputs.has("c49"), live.inputs.get("c249")]).toEqual([false, { command: "paint 249" }]);
  });

  it("and opens an artifact has its result stored whole", async () => {
    const long = `${LONG}\n${LONG}\n${LONG}`;
    noteCall(live, "c1", { pattern: "plank", path: `${fake.session.root}/.plimsoll/artifacts/artifact-1.md` });
    const more = { origin: { kind: "tool", tool: "Grep" } };
    expect(await append("tool-result", [result("c1", long)], more)).not.toContain("FOLDED");
    expect(await append("tool-result", [result("c2", long)], more)).toContain("FOLDED");
  });
});

describe("a measurement", () => {
  it.each([undefined, 0, -1])("of %s tokens is none", async (usedTokens) => {
    await append("response", [text("Hm.")]);
    fake.session.usedTokens = usedTokens;
    await measure(fake.client, live);
    expect(live.watch.contextTokens()).toBeUndefined();
  });
});
