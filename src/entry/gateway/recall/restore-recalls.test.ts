/** If red: what the model fetched back is missing from the next request, or the API refuses it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMessagesBody } from "../../../../test/api/messages-body.ts";
import { validateMessages } from "../../../../test/api/validate-messages.ts";
import { arbitraryRounds, RECALL } from "../../../../test/support/arbitrary-rounds.ts";
import { tries } from "../../../../test/support/depth.ts";
import { isJsonObject, isRecord } from "../../../wire/is-json.ts";
import { messagesWire } from "../messages-wire.ts";
import { closeWith, putAway } from "../put-away.ts";
import { parseRequest } from "../request/parse-request.ts";
import { spliceMessages } from "../request/splice-messages.ts";
import { createConverse } from "./relay-conversation.ts";
import { createReadCarried, restoreRecalls } from "./restore-recalls.ts";
import type { RecalledRound } from "./round.ts";
import { listShown, type Round } from "./round.ts";

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
  const messages = [PROMPT, { role: "assistant", content }, { role: "user", content: [...results, MORE] }];
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

function toRound({ content, stop_reason, usage }: { content: unknown; stop_reason: string; usage: unknown }): Round {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const written = blocks.map((raw) => ({ raw, bytes: Buffer.from(JSON.stringify(raw)) }));
  return { blocks: written, stopReason: stop_reason, usage: isJsonObject(usage) ? usage : {} };
}
