/** If red: a compaction happens without its line on the screen, or the person cannot see how to turn it off. */
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../../test/support/fake-client.ts";
import { story } from "../../../../test/support/story.ts";
import type { JsonObject } from "../../../core/json.ts";
import { isObject, listField, textField } from "../../../core/json.ts";
import { RECORD_OPENING } from "../../../survive/record/record-opening.ts";
import { createScreen } from "../../module/screen.ts";
import type { CarryOn } from "../client-port.ts";
import type { Live } from "../live.ts";
import { openLive } from "../open-live.ts";
import { overseeCompaction } from "./compact.ts";
import { settleCompaction } from "./settle-compaction.ts";

const exchange = (at: number): readonly JsonObject[] => [
  { role: "user", text: `Coat ${at}.`, toolUses: [], handle: `p${at}` },
  { role: "assistant", text: `Coat ${at} is dry.`, toolUses: [], handle: `a${at}` },
];
const MESSAGES = [1, 2, 3, 4, 5].flatMap(exchange);

let fake: FakeClient;
let live: Live;
async function open(settings: JsonObject = {}): Promise<void> {
  fake = createFakeClient();
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify(settings));
  live = await openLive(fake.client, fake.machine);
  live.watch.events(
    story().asks("Paint it.").calls("Bash", { command: "paint" }, "plank ".repeat(4000)).says("Painted.").events(),
  );
}
beforeEach(() => open());

/** The client below: what it was asked, and what it answers, as 2.1.325 does to one message. */
let asked: JsonObject[] = [];
const TOO_FEW = (): Promise<unknown> => Promise.reject(new Error("Not enough messages to compact."));
function below(answer: (e: JsonObject) => unknown = TOO_FEW): CarryOn {
  asked = [];
  return async (e) => {
    asked.push(e);
    return answer(e);
  };
}
async function compact(e: JsonObject = {}, next = below()): Promise<JsonObject> {
  const answered = await overseeCompaction(fake.client, live, { trigger: "auto", messages: MESSAGES, ...e }, next);
  return isObject(answered) ? answered : {};
}
/** The client carries it out, and the next request is measured. */
async function compactAndGoOn(e: JsonObject = {}, next = below()): Promise<void> {
  fake.session.messages = (await compact(e, next)).messages;
  expect(fake.logs).toEqual([]);
  await settleCompaction(fake.client, live, 9_000);
}

describe("a compaction on the person's screen", () => {
  it("is one line: how much, why now, what it saves, how to see it, how to turn it off", async () => {
    live.steering.by = "price";
    live.steering.why = "resending 60k tokens of old messages has cost as much as rewriting the cache would";
    await compactAndGoOn();
    expect(fake.logs).toHaveLength(1);
    expect(fake.logs[0]).toMatch(
      /^\S+ → \S+ tokens: resending 60k tokens .*; .* · \/plimsoll why shows details · \/plimsoll off stops .*; to stop them for good, set "early": "off" in ~\/.claude\/plimsoll.json$/,
    );
  });

  it("at a line of one's own names that setting", async () => {
    live.steering.by = "line";
    live.steering.why = "your line of 120k is reached";
    await compactAndGoOn();
    expect(fake.logs[0]).toMatch(/tokens: your line of 120k is reached; .*for good, set "line": false in \S+$/);
  });

  it("that nobody brought about names the setting that leaves it to the client", async () => {
    await compactAndGoOn({ trigger: "manual" });
    expect(fake.logs[0]).toContain(": as you asked");
    expect(fake.logs[0]).toMatch(/to let the client compact, set "compaction": "native" in \S+$/);
  });

  it("says how to turn it off three times, and then no more", async () => {
    for (let time = 0; time < 4; time++) {
      fake.session.messages = (await compact()).messages;
      await settleCompaction(fake.client, live, 9_000);
    }
    expect(fake.logs.map((line) => line.includes(" · /plimsoll why"))).toEqual([true, true, true, false]);
  });

  it("is not shown where the client went on with the whole conversation; then it is forgotten", async () => {
    const [extras, { load }] = [live.conversation.beside, live.watch.save()];
    await compact();
    fake.session.messages = MESSAGES;
    await settleCompaction(fake.client, live, 150_000);
    expect([fake.logs, live.journal.last("compacted", 9)]).toEqual([[], []]);
    expect(live.journal.last("ignored", 9)).toMatchObject([{ what: "compaction" }]);
    expect(live.conversation).toMatchObject({ beside: { ...extras, retold: [] }, keptAnswers: [] });
    expect(live.watch.save().load).toEqual(load);
  });

  it("that no request follows is written down as an estimate, and not shown", async () => {
    fake.session.messages = (await compact()).messages;
    await settleCompaction(fake.client, live, undefined);
    expect(fake.logs).toEqual([]);
    expect(live.journal.last("compacted", 9)).toMatchObject([{ isEstimated: true }]);
  });

  it("draws nothing twice: what it tells again and the record stand behind the line", async () => {
    const answered = await compact();
    const messages = listField(answered, "messages").filter(isObject);
    const screen = createScreen();
    screen.answered(answered);
    const drawn = messages.map((message, index) =>
      screen.isRepeat({ requestId: `new${index}`, props: { text: textField(message, "text") } }),
    );
    expect(new Set(drawn)).toEqual(new Set([true]));
  });

  it("leaves a status that is true at once", async () => {
    live.watch.measured(150_000, "claude-sonnet-4-6", 1);
    await compact({ trigger: "manual" });
    expect(fake.statuses.at(-1)).toMatch(/^⊖ \S+ ≈\d+ % of 167k$/);
    expect(live.watch.health().compactions).toBe(1);
  });

  it("of a subagent, and one that is only kept for later, are nobody's to see", async () => {
    await compact(
      { agentId: "a1" },
      below(async () => ({ messages: [] })),
    );
    await compact({ trigger: "precompute" });
    expect([fake.logs, fake.statuses]).toEqual([[], []]);
  });

  it("by the client is told of too, with what was put back", async () => {
    await open({ compaction: "native" });
    const summary = [{ role: "user", text: "Something was painted.", toolUses: [] }];
    await compactAndGoOn(
      {},
      below(async () => ({ messages: summary })),
    );
    expect(fake.logs).toEqual([expect.stringMatching(/^the client wrote its own summary; /)]);
    expect(asked).toHaveLength(1);
  });
});

describe("the person's own PreCompact hooks", () => {
  it("run first: the client is asked to compact one message, and finds that too little", async () => {
    const answered = await compact();
    expect(asked).toEqual([{ trigger: "auto", messages: MESSAGES.slice(0, 1) }]);
    const texts = listField(answered, "messages")
      .filter(isObject)
      .map((message) => textField(message, "text"));
    expect(texts.join("\n")).toContain(RECORD_OPENING);
  });

  it("may block it; then the client has its line back and is not asked again and again", async () => {
    live.line.isLowered = true;
    fake.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
    const skip = "Compaction blocked by PreCompact hook: not now";
    expect(
      await compact(
        {},
        below(async () => ({ skip })),
      ),
    ).toEqual({ skip });
    expect(fake.env.has("CLAUDE_CODE_AUTO_COMPACT_WINDOW")).toBe(false);
    expect([live.steering.isOn, live.totals.compactions, fake.logs]).toEqual([false, 0, []]);
  });

  it("are not run this way again in a client that makes a summary of one message", async () => {
    const next = below(async () => ({ messages: [{ role: "user", text: "a summary" }] }));
    expect(JSON.stringify(await compact({}, next))).toContain(RECORD_OPENING);
    await compact({}, next);
    expect(asked).toHaveLength(1);
    expect(live.journal.last("declined", 9)).toMatchObject([{ what: "PreCompact hooks" }]);
  });
});

describe("an answer that fails", () => {
  it("leaves the whole conversation to the client, and says so in the journal alone", async () => {
    const happened = (): never => {
      throw new Error("no memory");
    };
    live = { ...live, watch: { ...live.watch, happened } };
    const summary = { messages: [{ role: "user", text: "The client's own." }] };
    const answered = await compact(
      {},
      below(async (e) => (listField(e, "messages").length === 1 ? TOO_FEW() : summary)),
    );
    expect(answered).toEqual(summary);
    expect(fake.logs).toEqual([]);
    expect(live.journal.last("failed", 1)).toMatchObject([{ event: "session.compact", why: "no memory" }]);
  });
});
