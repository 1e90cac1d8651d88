/** If red: the gateway misses the usage of an answer, so limits, costs and load are wrong. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { tries } from "../../../../test/support/depth.ts";
import type { Usage } from "../../../core/usage.ts";
import { messagesWire } from "../messages-wire.ts";
import { createUsageWatch } from "./watch-usage.ts";

const STREAM = [
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":7,"cache_read_input_tokens":90}}}\n\n',
  ": a remark\n\n",
  'event: content_block_delta\ndata: {"delta":{"text":"the word message_delta, and a line\\n\\n"}}\n\n',
  'event: content_block_delta\r\ndata: {"delta":{"text":"wörds"}}\r\n\r\n',
  'event: ping\ndata: {"usage":{"input_tokens":1}}\n\n',
  'event: message_delta\ndata: {"usage":{"output_tokens":33}}\n\n',
  "event: message_stop\ndata: {}\n\n",
].join("");

function watchIn(chunks: readonly Buffer[]): Usage | undefined {
  const watch = createUsageWatch({ contentType: "text/event-stream", contentEncoding: "" }, messagesWire.answers);
  for (const chunk of chunks) watch.feed(chunk);
  let reported: Usage | undefined;
  watch.end((usage) => {
    reported = usage;
  });
  return reported;
}

it("tells what a stream says of its usage, wherever its pieces end", () => {
  const bytes = Buffer.from(STREAM);
  const whole = watchIn([bytes]);
  expect(whole).toMatchObject({ inputTokens: 7, cacheReadTokens: 90, outputTokens: 33 });
  for (let at = 1; at < bytes.length; at++)
    expect(watchIn([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(whole);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
      const ends = [0, ...cuts.sort((left, right) => left - right), bytes.length];
      const chunks = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
      expect(watchIn(chunks)).toEqual(whole);
    }),
    { numRuns: tries(100, 2000) },
  );
});

it("tells what each event of a stream says that comes in a piece of its own", () => {
  const frames = STREAM.split(/(?<=\n\r?\n)/).map((frame) => Buffer.from(frame));
  expect(watchIn(frames)).toEqual(watchIn([Buffer.from(STREAM)]));
});

it("looks for the usage no deeper than an API puts it, however deep an answer is", () => {
  const deep = `${'{"message":'.repeat(100_000)}{}${"}".repeat(100_000)}`;
  const watch = createUsageWatch({ contentType: "application/json", contentEncoding: "" }, messagesWire.answers);
  watch.feed(Buffer.from(deep));
  expect(() => watch.end((usage) => expect(usage).toBeUndefined())).not.toThrow();
});
