/** If red: a live compaction drops something without storing it, or asks a model for a summary. */
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { setAgreed } from "../../../../test/support/agree.ts";
import { tries } from "../../../../test/support/depth.ts";
import { createFakeClient, type FakeClient } from "../../../../test/support/fake-client.ts";
import { parseRecalled } from "../../../../test/support/recalled.ts";
import { compacted } from "../../../../test/support/session-events.ts";
import { story } from "../../../../test/support/story.ts";
import { isObject, type JsonObject, listField } from "../../../core/json.ts";
import { findHandles } from "../../../fold/marker.ts";
import { renderHeading, splitSegments } from "../../../layers/ledger/ledger-text.ts";
import { parseSections } from "../../../layers/ledger/sections.ts";
import { NOTE_HEADING } from "../../../policy/note.ts";
import { readRecalls } from "../../../recorded/read-recalls.ts";
import { recall } from "../../../survive/recall/recall.ts";
import { RECORD_OPENING } from "../../../survive/record/record-opening.ts";
import { lookDue } from "../line.ts";
import type { Live } from "../live.ts";
import { readUsage } from "../live.ts";
import { openLive } from "../open-live.ts";
import { createLivePort } from "../recall-tool.ts";
import { groupByAnswer } from "./answer-window.ts";
import { handleCompaction } from "./compact.ts";
import { parseRows } from "./compaction-event.ts";
import { checkRepair } from "./repair-native.ts";
import { settleCompaction } from "./settle-compaction.ts";

const heavy = "plank ".repeat(8000);
const exchange = (at: number): readonly JsonObject[] => [
  { role: "user", text: `Coat ${at}.`, toolUses: [], handle: `p${at}` },
  { role: "assistant", text: `Coat ${at} is dry.`, toolUses: [], handle: `a${at}` },
];
/** The call is old: more exchanges follow it than stay word for word. */
const MESSAGES: readonly JsonObject[] = [
  { role: "user", text: "Paint the load line. Never touch the anchor chain.", toolUses: [], handle: "h1" },
  {
    role: "assistant",
    text: "",
    toolUses: [{ tool_use_id: "c1", tool: "Bash", input: { command: "paint" } }],
    handle: "h2",
  },
  { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "c1", text: heavy }], handle: "h3" },
  { role: "assistant", text: "Painted.", toolUses: [], handle: "h4" },
  ...exchange(1),
  ...exchange(2),
];
const TAIL = ["Painted.", "Coat 1.", "Coat 1 is dry.", "Coat 2.", "Coat 2 is dry."];

let fake: FakeClient;
let live: Live;
async function open(settings: JsonObject = {}): Promise<void> {
  fake = createFakeClient();
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify(settings));
  live = await openLive(fake.client, fake.machine);
  live.watch.events(
    story()
      .asks("Paint the load line. Never touch the anchor chain.")
      .calls("TodoWrite", { todos: [{ content: "Rig the main mast", status: "in_progress" }] }, "ok")
      .calls("Bash", { command: "paint" }, heavy, { callId: "c1" })
      .says("Painted.")
      .events(),
  );
}
beforeEach(() => open());

const refuse = (): Promise<unknown> => Promise.reject(new Error("the client must not be asked"));
async function answer(e: JsonObject = {}, next: (event: JsonObject) => Promise<unknown> = refuse): Promise<JsonObject> {
  const answered = await handleCompaction(fake.client, live, { trigger: "auto", messages: MESSAGES, ...e }, next);
  return isObject(answered) ? answered : {};
}
/** The client carries it out, and the next request is measured. */
async function settle(answered: JsonObject, measured = 9_000): Promise<JsonObject> {
  fake.session.messages = answered.messages;
  await settleCompaction(fake.client, live, measured);
  return answered;
}
/** The record, then what stands behind it; what stands before it is as the client has it. */
function textsOf(answered: JsonObject): readonly string[] {
  const texts = listField(answered, "messages").map((message) => (isObject(message) ? String(message.text) : ""));
  return texts.slice(
    Math.max(
      0,
      texts.findIndex((text) => text.startsWith(RECORD_OPENING)),
    ),
  );
}

function actions(): readonly JsonObject[] {
  const lines = fake.files.get(`${live.folder}/deeds-module.jsonl`)?.trimEnd().split("\n") ?? [];
  return lines.map((line) => JSON.parse(line));
}

describe("a compaction that is answered at once", () => {
  it("gives the record and the tail, asks nobody, and writes down what it did", async () => {
    live.steering.why = "a safe boundary";
    live.watch.measured(90_000, "claude-sonnet-4-6", 1);
    const [record = "", ...tail] = textsOf(await settle(await answer()));
    expect(record.startsWith(RECORD_OPENING)).toBe(true);
    for (const words of ["Never touch the anchor chain.", "Rig the main mast", "mcp__plimsoll__recall"])
      expect(record).toContain(words);
    expect(tail).toEqual(TAIL);
    expect(record).toContain(`\n${renderHeading(1, findHandles(record)[0])}\n`);
    expect(record).toContain(
      "\n1 Bash paint → plank plank plank plank plank plank plank plank plank plank pla… (1 lines)",
    );
    expect(fake.forks).toEqual([]);
    expect(live.totals.compactions).toBe(1);
    expect(readRecalls(`${fake.home}/.claude`)[live.root]).toEqual({ compactions: 1, recalls: 0 });
    const [action] = actions();
    expect(action).toMatchObject({
      kind: "compacted",
      by: "plimsoll",
      trigger: "auto",
      recordTokens: expect.any(Number),
      why: "a safe boundary",
    });
    expect(action?.tokensAfter).toBe(9_000);
    expect(action).not.toHaveProperty("isEstimated");
  });

  it("puts nothing away where nothing leaves the window", async () => {
    await answer({ messages: MESSAGES.slice(0, 1) });
    expect([...fake.files.keys()].filter((place) => place.includes("/archive-"))).toEqual([]);
  });

  it("puts a result of a megabyte away too, and recall gives it back whole", async () => {
    const huge = `${"plank ".repeat(180_000)}end`;
    const messages = MESSAGES.map((message) =>
      message.handle === "h3" ? { ...message, toolResults: [{ tool_use_id: "c1", text: huge }] } : message,
    );
    const [record = "", ...tail] = textsOf(await answer({ messages }));
    expect(tail).toEqual(TAIL);
    expect(live.store.archived("c1") === huge).toBe(true);
    const handle = `${findHandles(record)[0]}#1`;
    const ask = async (page: number): Promise<string> => {
      const answer = await recall({ handle, page }, createLivePort(fake.client, live));
      return answer.isError ? answer.words : answer.blocks.join("");
    };
    const pages = Number(/\[page 1 of (\d+)/.exec(await ask(1))?.[1]);
    const reported = await Promise.all(Array.from({ length: pages }, (_, index) => ask(index + 1)));
    const bodies = reported.flatMap(parseRecalled).filter(({ heading }) => heading.endsWith("#1 result"));
    expect(bodies.map(({ body }) => body).join("") === huge).toBe(true);
  });

  it("leaves a state file of the project as it is that it cannot read whole", async () => {
    const place = `${fake.session.root}/.plimsoll/progress.md`;
    const whole = "x".repeat(5 * 1024 * 1024);
    fake.files.set(place, whole);
    await answer();
    expect(fake.files.get(place) === whole).toBe(true);
    expect(live.life.pending).toBeDefined();
  });

  it("puts the results away first, where recall finds them by their call and by their line of the ledger", async () => {
    const [record = ""] = textsOf(await answer());
    expect(live.store.archived("c1")).toBe(heavy);
    const [handle = ""] = findHandles(record);
    const stored = live.store.read(handle.slice("plimsoll:".length));
    expect(parseSections(String(stored))?.get("1")).toBe(heavy);
    expect(parseSections(String(stored))?.get("1i")).toBe('{"command":"paint"}');
  });

  it("weighs from then on what it left, and what stays of the exchanges", async () => {
    const tail = { keepExchanges: 3, maxTailTokens: 40_000 };
    await answer();
    const { ledgerTokens, old } = live.watch.load(tail);
    expect(old).toEqual([]);
    expect(ledgerTokens).toBeGreaterThan(30);
    expect(ledgerTokens).toBeLessThan(200);
  });

  it("keeps the earlier segments in its ledger, each with its own handle", async () => {
    const first = await answer();
    const messages = listField(first, "messages").filter(isObject);
    live.watch.events([compacted()]);
    const more = [1, 2, 3, 4].flatMap((at) => [
      { role: "assistant", text: "", toolUses: [{ tool_use_id: `d${at}`, tool: "Bash", input: { command: "sand" } }] },
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: `d${at}`, text: `${at} ${heavy}` }] },
    ]);
    const [record = ""] = textsOf(await answer({ messages: [...messages, ...more] }));
    const handles = findHandles(record);
    expect(splitSegments(record)).toHaveLength(2);
    expect(new Set(handles).size).toBe(2);
    for (const handle of handles)
      expect(await recall({ handle: `${handle}#1` }, createLivePort(fake.client, live))).not.toContain(
        "Nothing is kept",
      );
  });

  it("leaves in the project what its next session must know, and answers all the same where it cannot", async () => {
    await answer();
    const left = [...fake.files].filter(([place]) => place.startsWith(`${fake.session.root}/.plimsoll/`));
    expect(left.map(([, text]) => text).join()).toContain("Rig the main mast");
    await open();
    fake.block(`${fake.session.root}/.plimsoll`, "file");
    expect(textsOf(await answer())[0]).toContain("Never touch the anchor chain.");
    // The compaction itself has not failed, and doctor must not say so.
    expect(actions()).toMatchObject([
      { event: "project.save", kind: "failed", why: expect.stringContaining("could not be saved") },
    ]);
  });

  it("is the client's own where nothing can be put away, and nothing counts as done", async () => {
    fake.block(`${fake.session.root}/.plimsoll`, "file");
    fake.block(`${fake.home}/.claude/data/plimsoll/artifacts`, "file");
    expect(await answer({}, async () => ({ messages: ["the client's"] }))).toEqual({ messages: ["the client's"] });
    expect([live.totals.compactions, live.life.kind]).toEqual([0, "idle"]);
    expect(actions()).toMatchObject([{ kind: "declined", what: "compaction" }]);
  });

  it("is called off where nothing can be put away and we brought it about, and the line is the client's again", async () => {
    fake.block(`${fake.session.root}/.plimsoll`, "file");
    fake.block(`${fake.home}/.claude/data/plimsoll/artifacts`, "file");
    live.line.isLowered = true;
    expect(await answer()).toEqual({ skip: expect.stringContaining("cannot save originals") });
    expect(live.line.isLowered).toBe(false);
  });

  it("keeps originals in the data folder where the project's is a link that leads elsewhere", async () => {
    fake.link(`${fake.session.root}/.plimsoll`);
    await settle(await answer());
    expect(live.totals.compactions).toBe(1);
    expect([...fake.files.keys()].filter((path) => path.includes("/behind-"))).toEqual([]);
  });

  it("names the transcript where there is one", async () => {
    expect(textsOf(await answer())[0]).not.toContain(live.transcript);
    fake.files.set(live.transcript, "{}\n");
    expect(textsOf(await answer())[0]).toContain(live.transcript);
  });

  it("keeps in mind what the person asked for, and what stood in the window", async () => {
    live.steering.why = "a reason of ours for a compaction that came to nothing";
    setAgreed(fake, `${fake.session.root}/.plimsoll/rules/style.md`, "Be kind to brushes.");
    const [record] = textsOf(await answer({ trigger: "manual", instructions: "keep the shade of red" }));
    expect(record).toContain('The user asked to keep in mind: "keep the shade of red"');
    expect(record).toContain("Be kind to brushes.");
    expect(live.life.pending?.why).toBe("");
  });

  it("gives the client its own line back", async () => {
    live.line.isLowered = true;
    fake.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
    await answer();
    expect(fake.env.has("CLAUDE_CODE_AUTO_COMPACT_WINDOW")).toBe(false);
    expect(lookDue(live, Date.now())).toBeUndefined();
  });

  it("is not prepared in advance", async () => {
    expect(await answer({ trigger: "precompute" })).toEqual({ skip: expect.stringContaining("at once") });
    expect(live.totals.compactions).toBe(0);
  });
});

describe("a compaction with a model's words", () => {
  it("holds them next to the record, told what the person wants kept", async () => {
    await open({ compaction: "assisted" });
    fake.session.fork = { isAnswered: true, text: " The deck is half painted.\n" };
    const [record] = textsOf(await answer({ instructions: "keep the red" }));
    expect(record).toContain(NOTE_HEADING);
    expect(record).toContain("\n> The deck is half painted.");
    expect(fake.forks[0]).toContain("Keep in mind: keep the red");
  });

  it.each([undefined, { isAnswered: false, text: "no" }, { text: "no" }, "words"])(
    "stands without them where it answers %j",
    async (fork) => {
      await open({ compaction: "assisted" });
      fake.session.fork = fork;
      const [record] = textsOf(await answer());
      expect(record?.startsWith(RECORD_OPENING)).toBe(true);
      expect(record).not.toContain(NOTE_HEADING);
    },
  );
});

describe("the client's own compaction", () => {
  const summarised = (text: string) => async (): Promise<unknown> => ({
    messages: [{ role: "user", text, toolUses: [] }],
    more: 7,
  });

  it("is told what to keep, next to what the person said", async () => {
    await open({ compaction: "native" });
    let given = "";
    await answer({ instructions: "keep the red" }, async (event) => {
      given = String(event.instructions);
      return { skip: "no" };
    });
    expect(given).toMatch(/^keep the red\n\n/);
    expect(given).toContain("COMPACTION PRESERVATION INSTRUCTIONS");
    expect(live.totals.compactions).toBe(0);
  });

  it("gets back what its summary lost, after what it said, and a receipt says so until it is seen to have landed", async () => {
    await open({ compaction: "native" });
    const answered = await settle(await answer({}, summarised("The user wants the load line painted.")));
    const [summary, repair = ""] = textsOf(answered);
    expect(summary).toBe("The user wants the load line painted.");
    expect(answered.more).toBe(7);
    expect(repair).toContain("Never touch the anchor chain.");
    expect(actions()).toMatchObject([
      { kind: "receipt", compaction: 1, landing: "unknown" },
      { kind: "compacted", by: "client", why: expect.stringContaining("task summaries of this session on disk: 0") },
    ]);

    fake.session.apiMessages = [{ role: "user", content: [{ type: "text", text: repair }] }];
    await checkRepair(fake.client, live);
    expect(actions().at(-1)).toMatchObject({ kind: "receipt", landing: "landed" });
    expect(live.life.repair).toBeUndefined();
  });

  it("is followed by what it lost and by what stood in the window, in one message", async () => {
    await open({ compaction: "native" });
    setAgreed(fake, `${fake.session.root}/.plimsoll/rules/style.md`, "Be kind to brushes.");
    const [summary, added = "", ...more] = textsOf(
      await answer({}, summarised("The user wants the load line painted.")),
    );
    expect(summary).toBe("The user wants the load line painted.");
    expect(more).toEqual([]);
    expect(added).toMatch(/Never touch the anchor chain\.[\s\S]*Be kind to brushes\./);
    expect(live.life.kind).toBe("answering");
    expect(live.policy.told.rules).not.toBe("");
  });

  it("is handed on as it is where nothing was lost and nothing stood in the window", async () => {
    fake = createFakeClient();
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, '{"compaction": "native"}');
    live = await openLive(fake.client, fake.machine);
    const result = { messages: [{ role: "user", text: "Nothing was said.", toolUses: [] }] };
    expect(await handleCompaction(fake.client, live, { trigger: "auto", messages: [] }, async () => result)).toBe(
      result,
    );
  });

  it("is seen to have gone astray where what was put back is not in the conversation", async () => {
    await open({ compaction: "native" });
    await answer({}, summarised("The user wants the load line painted."));
    fake.session.apiMessages = [{ role: "user", content: [{ type: "text", text: "The user wants it painted." }] }];
    await checkRepair(fake.client, live);
    expect(actions().at(-1)).toMatchObject({ kind: "receipt", landing: "missing" });
  });

  it("is left alone while it is only prepared, or where it gives no messages", async () => {
    await open({ compaction: "native" });
    expect(textsOf(await answer({ trigger: "precompute" }, summarised("short")))).toEqual(["short"]);
    expect(await answer({}, async () => ({ skip: "later" }))).toEqual({ skip: "later" });
    expect(actions()).toEqual([]);
  });
});

describe("what is said to be shorter in every request", () => {
  it.each([
    ["instant", 1],
    ["native", 0],
  ])("is over with what a compaction took, and only Plimsoll's own count as such: %s", async (compaction, own) => {
    await open({ compaction });
    live.totals.folds = 2;
    live.totals.savedTokens = 12_400;
    const summary = { messages: [{ role: "user", text: "The user wants the load line painted.", toolUses: [] }] };
    await settle(await answer({}, async () => summary));
    expect(live.totals).toEqual({ folds: 2, savedTokens: 0, compactions: own });
  });
});

describe("the client's account of the window", () => {
  it.each([
    [{ context: { tokens: 7 } }, 7],
    [{ context: { tokens: 0 } }, undefined],
    [{ context: { tokens: "7" } }, undefined],
    [{ context: null }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])("in %j is %s", (usage, tokens) => {
    expect(readUsage(usage)).toBe(tokens);
  });
});

const say = (text: string): JsonObject => ({ role: "user", text, toolUses: [] });
const speak = (text: string): JsonObject => ({ role: "assistant", text, toolUses: [] });
const call = (id: string): JsonObject => ({
  role: "assistant",
  text: "",
  toolUses: [{ tool_use_id: id, tool: "Bash", input: {} }],
});
const result = (id: string): JsonObject => ({
  ...say(""),
  toolResults: [{ tool_use_id: id, text: `result of ${id}` }],
});
/** An answer as the API was sent it: words, and calls as `#id`. */
const sent = (...parts: readonly string[]): JsonObject => ({
  role: "assistant",
  content: parts.map((part) =>
    part.startsWith("#") ? { type: "tool_use", id: part.slice(1) } : { type: "text", text: part },
  ),
});

function group(rows: readonly JsonObject[], answers: readonly JsonObject[]): string {
  return groupByAnswer(parseRows(rows), answers)
    .map(({ text, calls, results }) =>
      [text, ...calls.map((id) => `#${id}`), ...results.map((id) => `=${id}`)].join(""),
    )
    .join(" ");
}

describe("rows grouped by answer", () => {
  it("puts results behind the last call of their answer, in the order of the calls", () => {
    const rows = [say("go"), speak("look"), call("5"), call("6"), result("6"), call("7"), result("7"), result("5")];
    expect(group(rows, [sent("look", "#5", "#6", "#7")])).toBe("go look #5 #6 #7 =5 =6 =7");
  });

  it("knows an answer whose calls returned one by one for one answer, and its last words for its own", () => {
    const rows = [call("1"), result("1"), call("2"), result("2"), speak("and on"), call("3"), result("3")];
    expect(group(rows, [sent("#1", "#2", "and on"), sent("#3")])).toBe("#1 #2 and on =1 =2 #3 =3");
  });

  it("takes the same words for another answer once the first has had its own", () => {
    const rows = [speak("done"), call("1"), result("1"), speak("done"), say("more")];
    expect(group(rows, [sent("done", "#1"), sent("done")])).toBe("done #1 =1 done more");
  });

  it("leaves what a person said in its place, though a call never returned", () => {
    const rows = [call("1"), say("stop"), speak("stopped"), say("go on")];
    expect(group(rows, [sent("#1"), sent("stopped")])).toBe("#1 stop stopped go on");
  });

  it("keeps open answers together where nothing says what was sent", () => {
    const rows = [call("5"), call("6"), result("6"), call("7"), result("5"), result("7"), call("8"), result("8")];
    expect(group(rows, [])).toBe("#5 #6 #7 =5 =6 =7 #8 =8");
  });

  it("brings every interleaving of a conversation into one order", () => {
    const answers = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(answers, fc.infiniteStream(fc.nat({ max: 2 })), (counts, choices) => {
        const whole = counts.map((count, at) => Array.from({ length: count }, (_, order) => `${at}.${order}`));
        const rows = whole.flatMap((ids) => interleave(ids, () => choices.next().value ?? 0));
        const expected = whole.map((ids) => [...ids.map((id) => `#${id}`), ...ids.map((id) => `=${id}`)].join(" "));
        expect(
          group(
            rows,
            whole.map((ids) => sent(...ids.map((id) => `#${id}`))),
          ),
        ).toBe(expected.join(" "));
      }),
      { numRuns: tries(100, 2000) },
    );
  });
});

/** The rows of one answer as a client might keep them: each result anywhere behind its call. */
function interleave(ids: readonly string[], choose: () => number): readonly JsonObject[] {
  const rows: JsonObject[] = [];
  const running: string[] = [];
  for (const id of ids) {
    rows.push(call(id));
    running.push(id);
    for (let many = choose(); many > 0 && running.length > 0; many--)
      rows.push(...running.splice(choose() % running.length, 1).map(result));
  }
  return [...rows, ...running.toReversed().map(result)];
}
