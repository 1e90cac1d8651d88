/** If red: a client gets a broken answer when the gateway joins several streams into one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleMessage, parseFrames } from "../../../../test/api/assemble-message.ts";
import { renderEvents, renderFrame } from "../../../../test/api/render-events.ts";
import { arbitraryRounds, RECALL } from "../../../../test/support/arbitrary-rounds.ts";
import { tries } from "../../../../test/support/depth.ts";
import { createSseParser } from "../../../library/stream/sse-frames.ts";
import { createAnswerStream } from "./answer-stream.ts";
import { addRoundUsage, listShown, type Round } from "./round.ts";

describe("one answer out of several", () => {
  it("is what a client puts together as one message, wherever the pieces of the streams end", () => {
    fc.assert(
      fc.property(arbitraryRounds, fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), (messages, sizes) => {
        const stream = createAnswerStream(RECALL);
        const heard: Uint8Array[] = [];
        const rounds: Round[] = [];
        for (const message of messages) {
          const bytes = Buffer.from(renderEvents(message).map(renderFrame).join(""));
          const parser = createSseParser();
          for (let at = 0, piece = 0; at < bytes.length; piece++) {
            const size = sizes[piece % sizes.length] ?? 1;
            heard.push(...parser.feed(bytes.subarray(at, at + size)).flatMap(stream.take));
            at += size;
          }
          heard.push(...parser.flush().flatMap(stream.take));
          const round = stream.endRound();
          expect(round?.blocks.map(({ raw }) => raw)).toEqual(message.content);
          expect(round?.blocks.map(({ bytes }) => JSON.parse(bytes.toString()))).toEqual(message.content);
          if (round) rounds.push(round);
        }
        const usage = rounds.map((round) => round.usage).reduce(addRoundUsage);
        const stopReason = rounds.at(-1)?.stopReason ?? "";
        heard.push(...stream.close(rounds.length === 1 ? {} : { usage, stopReason }));
        const events = parseFrames(Buffer.concat(heard).toString());
        expect(events.filter(({ type }) => type === "message_start")).toHaveLength(1);
        expect(events.filter(({ type }) => type === "message_stop")).toHaveLength(1);
        const made = assembleMessage(events);
        expect(made.content).toEqual(rounds.flatMap((round) => listShown(round, RECALL)).map(({ raw }) => raw));
        expect(made).toMatchObject({ id: messages[0]?.id, stop_reason: messages.at(-1)?.stop_reason });
        const sum = messages.reduce((total, message) => total + message.usage.input_tokens, 0);
        expect(made.usage).toMatchObject({ input_tokens: sum, cache_read_input_tokens: 100 * messages.length });
      }),
      { numRuns: tries(40, 1_000) },
    );
  });

  it("is the very bytes of the upstream where nothing is asked back", () => {
    fc.assert(
      fc.property(arbitraryRounds, (messages) => {
        const [message] = messages.slice(-1).filter(({ content }) => !JSON.stringify(content).includes(RECALL));
        if (!message) return;
        const bytes = Buffer.from(renderEvents(message).map(renderFrame).join(""));
        const stream = createAnswerStream(RECALL);
        const heard = [...createSseParser().feed(bytes).flatMap(stream.take)];
        expect(stream.endRound()).toBeDefined();
        expect(Buffer.concat([...heard, ...stream.close({})]).toString()).toBe(bytes.toString());
      }),
    );
  });

  it("is no answer where the stream ends before it does", () => {
    const stream = createAnswerStream(RECALL);
    const frame = 'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}\n\n';
    createSseParser().feed(Buffer.from(frame)).map(stream.take);
    expect(stream.endRound()).toBeUndefined();
  });
});
