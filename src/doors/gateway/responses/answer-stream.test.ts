import { describe, expect, it } from "vitest";
import { createSseParser } from "../../../library/stream/sse-frames.ts";
import { createResponseStream } from "./answer-stream.ts";

const RECALL = "plimsoll_recall";
const words = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const call = (name: string) => ({ type: "function_call", call_id: name, name, arguments: "{}" });

/** The stream of one answer, as the API numbers it. */
function stream(id: string, items: readonly object[]): Buffer {
  const usage = { input_tokens: 10, output_tokens: 1, input_tokens_details: { cached_tokens: 4 } };
  const events = [
    { type: "response.created", response: { id } },
    { type: "response.in_progress", response: { id } },
    ...items.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      { type: "response.some.delta", output_index, delta: "x" },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: { id, status: "completed", output: items, usage } },
  ];
  const frames = events.map(
    (event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  );
  return Buffer.from(frames.join(""));
}

function parseEvents(bytes: Uint8Array): readonly Readonly<Record<string, unknown>>[] {
  return createSseParser()
    .feed(bytes)
    .map(({ data }) => JSON.parse(data ?? "{}"));
}

describe("one streamed response out of several", () => {
  it("has one beginning, one end, and items and events that are numbered through, without the calls that were answered here", () => {
    const made = createResponseStream(RECALL);
    const heard: Uint8Array[] = [];
    const rounds = [
      [words("I look."), call(RECALL)],
      [call("exec_command"), words("Done.")],
    ];
    for (const [index, items] of rounds.entries()) {
      heard.push(
        ...createSseParser()
          .feed(stream(`resp_${index}`, items))
          .flatMap(made.take),
      );
      const round = made.endRound();
      expect(round).toMatchObject({ stopReason: "tool_use", usage: { input_tokens: 10 } });
      expect(round?.blocks.map(({ raw }) => raw)).toEqual(items);
    }
    heard.push(...made.close({ usage: { input_tokens: 20 }, stopReason: "tool_use" }));
    const events = parseEvents(Buffer.concat(heard));
    expect(events.map(({ type }) => type).filter((type) => String(type).startsWith("response.c"))).toEqual([
      "response.created",
      "response.completed",
    ]);
    const done = events.filter(({ type }) => type === "response.output_item.done");
    expect(done.map(({ output_index, item }) => [output_index, item])).toEqual([
      [0, words("I look.")],
      [1, call("exec_command")],
      [2, words("Done.")],
    ]);
    const numbers = events.map(({ sequence_number }) => Number(sequence_number));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    const shown = [words("I look."), call("exec_command"), words("Done.")];
    expect(events.at(-1)).toMatchObject({ response: { id: "resp_0", usage: { input_tokens: 20 }, output: shown } });
  });

  it("is the very bytes of the upstream where nothing is asked back", () => {
    const made = createResponseStream(RECALL);
    const bytes = stream("resp_1", [words("Aye."), call("exec_command")]);
    const heard = createSseParser().feed(bytes).flatMap(made.take);
    expect(made.endRound()).toBeDefined();
    expect(Buffer.concat([...heard, ...made.close({})]).toString()).toBe(bytes.toString());
  });

  it("is no answer where it failed, or ended before its end", () => {
    const made = createResponseStream(RECALL);
    const failed = Buffer.from('event: response.failed\ndata: {"type":"response.failed","response":{"id":"r"}}\n\n');
    expect(Buffer.concat(createSseParser().feed(failed).flatMap(made.take)).toString()).toBe(failed.toString());
    expect(made.endRound()).toBeUndefined();
  });
});
