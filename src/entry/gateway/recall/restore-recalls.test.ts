/** If red: what the model fetched back is missing from the next request, or the API refuses it. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMessagesBody } from "../../../../test/api/messages-body.ts";
import { validateMessages } from "../../../../test/api/validate-messages.ts";
import { arbitraryRounds, RECALL } from "../../../../test/support/arbitrary-rounds.ts";
import { tries } from "../../../../test/support/depth.ts";
import type { Block, Message } from "../../../core/message.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { isJsonObject, isRecord } from "../../../wire/conversation.ts";
import { messagesWire } from "../messages-wire.ts";
import { closeWith, putAway } from "../put-away.ts";
import { advanceChain } from "../request/identify-session.ts";
import { parseRequest } from "../request/parse-request.ts";
import { spliceMessages } from "../request/splice-messages.ts";
import { createConverse } from "./relay-conversation.ts";
import { createReadCarried, describeShown, restoreRecalls } from "./restore-recalls.ts";
import { listShown, type RecalledAnswer, type RecalledCall, type RecalledRound, type Round } from "./round.ts";

const PROMPT = { role: "user", content: "What does the clause say?" };
const MORE = { type: "text", text: "And then?" };

interface Restored {
  /** What went upstream behind the prompt in the last request. */
  readonly sent: readonly Buffer[];
  /** What the client was shown. */
  readonly shown: readonly object[];
  readonly kept: readonly RecalledRound[];
}

/** A model's answer that took several requests, with every call answered. */
async function restoreRounds(rounds: readonly Round[]): Promise<Restored> {
  let kept: readonly RecalledRound[] = [];
  const converse = createConverse({
    tool: RECALL,
    wire: messagesWire,
    goOn: () => [],
    async answer({ callId, input, at }) {
      return {
        at,
        callId,
        input,
        tool: RECALL,
        parts: [{ kind: "text", text: `original of ${callId}` }],
        isError: false,
      };
    },
    async keep(given) {
      kept = given;
      return true;
    },
  });
  let sent: readonly Buffer[] = [];
  for (const round of rounds) {
    const step = await converse.step(round);
    if (step.kind === "goOn") sent = step.messages;
  }
  return { sent, shown: rounds.flatMap((round) => listShown(round, RECALL)).map(({ raw }) => raw), kept };
}

/** The client's next request, and what becomes of it. */
function restore(content: readonly object[], rounds: readonly RecalledRound[]): string {
  const calls = content.flatMap((block) => (isRecord(block) && block.type === "tool_use" ? [block.id] : []));
  const results = calls.map((id) => ({ type: "tool_result", tool_use_id: id, content: "done" }));
  const messages = [PROMPT, { role: "assistant", content }, { role: "user", content: [...results, MORE] }, PROMPT];
  const request = parseRequest(Buffer.from(JSON.stringify({ model: "m", messages })));
  if (!request) throw new Error("the request is none");
  const restored = restoreRecalls(request.conversation.messages, [{ kind: "recalled", behind: "", rounds }]);
  return Buffer.concat(spliceMessages(request, restored, new WeakMap())).toString();
}

describe("what was fetched back", () => {
  it("stands in the next request as it was sent, byte for byte, and the API takes it", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRounds, async (messages) => {
        const rounds = messages.map(toRound);
        const { sent, shown, kept } = await restoreRounds(rounds);
        if (shown.length === 0) return;
        const body = restore(shown, kept);
        const prefix = [JSON.stringify(PROMPT), ...sent.map(String)].join(",");
        expect(body).toContain(`"messages":[${prefix}`);
        const parsed = parseMessagesBody(JSON.parse(body));
        expect(typeof parsed === "string" ? parsed : validateMessages(parsed)).toEqual([]);
        const asked = rounds.flatMap(({ blocks }) => blocks.filter(({ raw }) => raw.name === RECALL));
        expect(body.match(/original of /g)?.length ?? 0).toBe(asked.length);
      }),
      { numRuns: tries(60, 2_000) },
    );
  });

  it("stands there also where a client sends no thinking back, and no blank text, and trims the rest", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRounds, async (messages) => {
        const { shown, kept } = await restoreRounds(messages.map(toRound));
        const echoed = shown.flatMap((block): readonly object[] => {
          if (!isRecord(block) || block.type === "thinking") return [];
          if (typeof block.text !== "string") return [block];
          return block.text.trim() === "" ? [] : [{ ...block, text: block.text.trim() }];
        });
        const calls = kept.flatMap((round) => round.calls);
        if (echoed.length === 0) return;
        expect(restore(echoed, kept).match(/original of /g)?.length ?? 0).toBe(calls.length);
      }),
      { numRuns: tries(40, 1_000) },
    );
  });

  it("stands nowhere where the client says something else in its place", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRounds, async (messages) => {
        const { shown, kept } = await restoreRounds(messages.map(toRound));
        if (kept.length === 0) return;
        expect(restore([...shown, { type: "text", text: "Never said." }], kept)).not.toContain("original of ");
        expect(restore([{ type: "text", text: "Something else." }], kept)).not.toContain("original of ");
      }),
      { numRuns: tries(40, 1_000) },
    );
  });
});

it("what was removed before a compaction is named to the user whose compaction it was, whoever asks first", async () => {
  const left = "f".repeat(64);
  const { handle, text } = putAway({ user: "ada", left: [left] }, "[]");
  const messages = [{ role: "user", content: [{ type: "text", text: closeWith(handle) }] }];
  const request = parseRequest(Buffer.from(JSON.stringify({ model: "m", messages })));
  if (!request) throw new Error("the request is none");
  const readCarried = createReadCarried({ readOriginal: async () => text });
  for (const [user, named] of [["eve", false] as const, ["ada", true] as const, ["eve", false] as const])
    expect((await readCarried(request, user)).includes(left)).toBe(named);
});

const text = (words: string): Block => ({ kind: "text", id: words, text: words, author: "model" });
const message = (role: Message["role"], ...blocks: readonly Block[]): Message => ({
  id: `${role} ${blocks[0]?.id}`,
  role,
  blocks,
});
const called = (callId: string, at = 0): RecalledCall => ({
  ...{ at, callId, tool: RECALL, input: {}, parts: [{ kind: "text", text: callId }], isError: false },
});
const shown = (...blocks: readonly Block[]) => blocks.map(describeShown);
const OWN: Block = { kind: "toolCall", id: "own", callId: "own", tool: "Bash", input: {} };
const RESULT: Block = { kind: "toolResult", id: "result", callId: "own", parts: [], isError: false };
const PERSON = message("user", text("Hello."));

/** Each message by its role and what is in it. */
function sketch(messages: readonly Message[]): readonly string[] {
  const name = (block: Block): string =>
    "callId" in block ? `${block.kind} ${block.callId}` : "text" in block ? block.text : block.kind;
  return messages.map(({ role, blocks }) => [role, ...blocks.map(name)].join(", "));
}

describe("a call that the client does not know of", () => {
  const aye = message("assistant", text("Aye."), text("Done."));
  const recalled: RecalledAnswer = {
    ...{ kind: "recalled", behind: "" },
    rounds: [
      { shown: shown(text("Aye.")), calls: [called("r1", 1), called("r2", 0)] },
      { shown: shown(text("Done.")), calls: [] },
    ],
  };

  it("is put where it was, with its result behind it, and the same objects every time", () => {
    const messages = [PERSON, aye];
    const restored = restoreRecalls(messages, [recalled]);
    expect(sketch(restored)).toEqual([
      "user, Hello.",
      "assistant, toolCall r2, Aye., toolCall r1",
      "user, toolResult r1, toolResult r2",
      "assistant, Done.",
    ]);
    expect(restored.map(({ id }) => id)).toEqual([PERSON.id, `${aye.id}/0`, `${aye.id}/0/recalled`, aye.id]);
    expect(restored[1]?.blocks[0]).toEqual({ ...OWN, id: "toolCall:r2", callId: "r2", tool: RECALL });
    expect(restored[2]?.blocks[0]).toEqual({
      ...{ kind: "toolResult", id: "toolResult:r1", callId: "r1" },
      ...{ parts: [{ kind: "text", text: "r1" }], isError: false },
    });
    const again = restoreRecalls(messages, [recalled]);
    expect(again.map((each, at) => each === restored[at])).toEqual([true, true, true, true]);
  });

  it("together with the client's own has its result among the results of these, also behind a system message", () => {
    const asked = message("assistant", OWN);
    const note = message("system", text("A note."));
    const answered = message("user", RESULT, text("And?"));
    const parallel = { ...recalled, rounds: [{ shown: shown(OWN), calls: [called("r1", 1)] }] };
    const restored = restoreRecalls([PERSON, asked, note, answered], [parallel]);
    expect(sketch(restored)).toEqual([
      "user, Hello.",
      "assistant, toolCall own, toolCall r1",
      "system, A note.",
      "user, toolResult r1, toolResult own, And?",
    ]);
    expect(restored[3]?.id).toBe(answered.id);
    const again = restoreRecalls([PERSON, asked, note, answered], [parallel]);
    expect(again.map((each, at) => each === restored[at])).toEqual([true, true, true, true]);
    // Without results next it would stand alone, which no API takes.
    for (const messages of [
      [PERSON, asked],
      [PERSON, asked, message("user", text("No."))],
      [PERSON, asked, note, asked],
    ])
      expect(restoreRecalls(messages, [parallel])).toBe(messages);
  });

  it("is put nowhere else: behind other answers, or where the client shows other words", () => {
    const first = message("assistant", text("First."));
    const messages = [PERSON, first, PERSON, aye];
    expect(restoreRecalls(messages, [recalled])).toBe(messages);
    const behind = advanceChain("", first);
    expect(restoreRecalls(messages, [{ ...recalled, behind }])).toHaveLength(6);
    for (const other of [message("assistant", text("Aye.")), message("assistant", text("Aye."), text("Other."))])
      expect(restoreRecalls([PERSON, other], [recalled])).toEqual([PERSON, other]);
    const longer = message("assistant", ...aye.blocks, text("More."));
    expect(restoreRecalls([PERSON, longer], [recalled])).toEqual([PERSON, longer]);
    const user = message("user", ...aye.blocks);
    expect(restoreRecalls([user], [recalled])).toEqual([user]);
    expect(restoreRecalls(messages, [])).toBe(messages);
    // Of two that were stored for one place, the one that was shown counts.
    const other = { ...recalled, rounds: [{ shown: shown(text("Other.")), calls: [] }] };
    expect(restoreRecalls([PERSON, aye], [other, recalled])).toHaveLength(4);
  });

  it("is known by what was shown, without blanks around it, and without what a client may leave out", () => {
    const blank = { ...text(" \n"), id: "blank" };
    const thinking: Block = { kind: "thinking", id: "t", text: "Hm.", signature: "s" };
    expect([text(" Aye.\n"), blank, thinking, OWN].map(describeShown)).toEqual([
      { hash: describeShown(text("Aye.")).hash, mayBeAbsent: false },
      { hash: expect.any(String), mayBeAbsent: true },
      { hash: expect.any(String), mayBeAbsent: true },
      { hash: expect.any(String), mayBeAbsent: false },
    ]);
    const rounds = [
      { shown: shown(thinking, blank), calls: [called("r1", 2)] },
      { shown: shown(text("Done.")), calls: [] },
    ];
    const done = message("assistant", text("Done."));
    const restored = restoreRecalls([PERSON, done], [{ ...recalled, rounds }]);
    expect(sketch(restored).slice(1)).toEqual(["assistant, toolCall r1", "user, toolResult r1", "assistant, Done."]);
    expect(restored[3]).toBe(done);
  });
});

describe("what was removed before a compaction", () => {
  const left = ["f".repeat(64)];
  const { handle, text: kept } = putAway({ user: "", left }, "[]");
  const carry = async (messages: readonly object[], readOriginal: (handle: string) => Promise<string | undefined>) => {
    const request = parseRequest(Buffer.from(JSON.stringify({ model: "m", messages })));
    if (!request) throw new Error("the request is none");
    return createReadCarried({ readOriginal })(request, "");
  };
  const record = { role: "user", content: [{ type: "text", text: closeWith(handle) }] };
  const other = { role: "assistant", content: "x" };

  it("is the history itself, and all that it named", async () => {
    const asked: string[] = [];
    const read = async (name: string) => {
      asked.push(name);
      return kept;
    };
    expect(await carry([record, other, record], read)).toEqual([sha256(kept), ...left]);
    expect(asked).toEqual([handle]);
    expect(await carry([other, other, record], read)).toHaveLength(2);
  });

  it("is nothing where no record of ours is among the first messages, or it cannot be read", async () => {
    const read = async () => kept;
    for (const messages of [[PROMPT], [other, other, other, record], [{ ...record, role: "assistant" }]])
      expect(await carry(messages, read)).toEqual([]);
    expect(await carry([record], async () => undefined)).toEqual([]);
    expect(await carry([record], async () => "no history")).toEqual([]);
    expect(await carry([record], () => Promise.reject(new Error("away")))).toEqual([]);
  });
});

function toRound({ content, stop_reason, usage }: { content: unknown; stop_reason: string; usage: unknown }): Round {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const written = blocks.map((raw) => ({ raw, bytes: Buffer.from(JSON.stringify(raw)) }));
  return { blocks: written, stopReason: stop_reason, usage: isJsonObject(usage) ? usage : {} };
}
