/** If red: a streamed answer loses bytes, or one frame can pose as two. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { encodeUtf8 } from "../../core/utf8.ts";
import { createSseParser, renderSseFrame, type SseFrame, type SseParserOptions } from "./sse-frames.ts";

function parse(chunks: readonly Uint8Array[], options: SseParserOptions = {}) {
  const parser = createSseParser(options);
  const frames = [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.flush()];
  return { frames, counts: parser.counts() };
}

function parseText(text: string, options: SseParserOptions = {}): readonly SseFrame[] {
  return parse([encodeUtf8(text)], options).frames;
}

function join(frames: readonly SseFrame[]): Uint8Array {
  return Uint8Array.from(frames.flatMap(({ raw }) => [...raw]));
}

/** What a client would be told, one line per frame. */
function listFrames(frames: readonly SseFrame[]): readonly string[] {
  return frames.map(({ raw: _, ...said }) => JSON.stringify(said, (_key, value) => (value === "" ? undefined : value)));
}

/** BOM, CRLF, bare CR, comments, lines of data, characters of four bytes, what nobody knows, an unfinished end. */
const STREAM = encodeUtf8(
  [
    '\uFEFFevent: message_start\ndata: {"a":1}\n\n',
    ": keep alive\r\n\r\n",
    "event: ping\r\ndata: first\r\ndata:second 😀é\r\n\r\n",
    "data: x\rid: 7\r\r",
    "data\nretry: 250\nnonsense: 1\nretry: soon\n\n\n",
    "data: \uFEFF:  two blanks\n\n",
    "data: unfinished",
  ].join(""),
);

describe("server-sent events", () => {
  it("reads every kind of line, and counts what it does not understand", () => {
    const { frames, counts } = parse([STREAM]);
    expect(listFrames(frames)).toMatchInlineSnapshot(`
      [
        "{"event":"message_start","data":"{\\"a\\":1}","comments":[],"isPartial":false}",
        "{"comments":["keep alive"],"isPartial":false}",
        "{"event":"ping","data":"first\\nsecond 😀é","comments":[],"isPartial":false}",
        "{"data":"x","id":"7","comments":[],"isPartial":false}",
        "{"retryMs":250,"comments":[],"isPartial":false}",
        "{"comments":[],"isPartial":false}",
        "{"data":"﻿:  two blanks","comments":[],"isPartial":false}",
        "{"comments":[],"isPartial":true}",
      ]
    `);
    expect(counts).toEqual({ frames: 7, partialFrames: 1, unknownLines: 2, invalidLines: 0 });
  });

  it("gives the same frames at every split position, byte for byte", () => {
    const whole = parse([STREAM]).frames;
    expect(join(whole)).toEqual(STREAM);
    for (let at = 0; at <= STREAM.length; at++)
      expect(parse([STREAM.subarray(0, at), STREAM.subarray(at)]).frames, `split at ${at}`).toEqual(whole);
    expect(parse([...STREAM].map((byte) => Uint8Array.of(byte))).frames).toEqual(whole);
  });

  it("passes any bytes through unchanged, in any chunks, within any limit", () => {
    const bytes = fc.array(fc.oneof(fc.constantFrom(10, 13, 58, 32, 0xef, 0xbb, 0xbf, 100), fc.nat(255)), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.nat(20), { maxLength: 10 }),
        fc.integer({ min: 1, max: 40 }),
        (given, lengths, maxFrameBytes) => {
          const stream = Uint8Array.from(given);
          const whole = parse([stream], { maxFrameBytes }).frames;
          expect(join(whole)).toEqual(stream);
          expect(parse(chunk(stream, lengths), { maxFrameBytes }).frames).toEqual(whole);
          expect(whole.every(({ raw }) => raw.length > 0 && raw.length <= maxFrameBytes)).toBe(true);
        },
      ),
      { numRuns: tries(40, 1000) },
    );
  });

  it("keeps its frames when the chunk they came in is used again", () => {
    const chunk = encodeUtf8("data: a\n\n");
    const [frame] = createSseParser().feed(chunk);
    chunk.fill(0);
    expect(frame?.raw).toEqual(encodeUtf8("data: a\n\n"));
  });

  it("does not wait after LF and CRLF, and one byte after a bare CR", () => {
    const parser = createSseParser();
    expect(parser.feed(encodeUtf8("data: a\n\n"))).toHaveLength(1);
    expect(parser.feed(encodeUtf8("data: a\r\n\r\n"))).toHaveLength(1);
    expect(parser.feed(encodeUtf8("data: a\r\r"))).toHaveLength(0);
    expect(parser.feed(encodeUtf8("d"))).toHaveLength(1);
  });

  it("reads the last frame whole where bare CRs end it and nothing follows", () => {
    expect(parseText("data: a\r\r")).toMatchObject([{ data: "a", isPartial: false }]);
    expect(parseText("data: a\r")).toMatchObject([{ data: undefined, isPartial: true }]);
  });

  it("takes a byte order mark for one at the beginning of the stream only", () => {
    expect(parseText("\uFEFFdata: a\n\n\uFEFFdata: b\n\n").map(({ data }) => data)).toEqual(["a", undefined]);
    expect(parseText("\uFEFF\n")).toMatchObject([{ isPartial: false, data: undefined }]);
  });

  it("reads bytes that are not UTF-8 with replacement characters, counts them and passes them on", () => {
    const bytes = Uint8Array.of(...encodeUtf8("data: "), 0xff, 0xc3, 10, 10, ...encodeUtf8("data: \uFFFD\n\n"));
    const { frames, counts } = parse([bytes]);
    expect(frames.map(({ data }) => data)).toEqual(["\uFFFD\uFFFD", "\uFFFD"]);
    expect(counts.invalidLines).toBe(1);
    expect(join(frames)).toEqual(bytes);
  });

  it("passes a frame above the limit on in pieces, and reads on after it", () => {
    const frames = parseText(`data: ${"x".repeat(30)}\n\ndata: y\n\n`, { maxFrameBytes: 16 });
    expect(frames.map(({ raw, isPartial, data }) => [raw.length, isPartial, data])).toEqual([
      [16, true, undefined],
      [16, true, undefined],
      [6, true, undefined],
      [9, false, "y"],
    ]);
  });

  it("takes time in proportion to the bytes, one by one", () => {
    expectProportional(300_000, (count) => {
      const parser = createSseParser();
      for (let index = 0; index < count; index++) parser.feed(Uint8Array.of(120));
      expect(parser.flush()[0]?.raw).toHaveLength(count);
    });
  });

  it("refuses a limit that means nothing", () => {
    expect(() => createSseParser({ maxFrameBytes: 0 })).toThrow(
      new TypeError("maxFrameBytes takes a whole number of at least 1, not 0"),
    );
  });
});

describe("a rendered frame", () => {
  it("has a line for everything that is said", () => {
    const frame = renderSseFrame({ event: "ping", data: "a\nb\r\n", id: "7", retryMs: 5, comments: ["x\ny"] });
    expect(new TextDecoder().decode(frame)).toBe(
      ": x\n: y\nevent: ping\ndata: a\ndata: b\ndata: \nid: 7\nretry: 5\n\n",
    );
    expect(renderSseFrame({})).toEqual(encodeUtf8("\n"));
  });

  it("is read back as it was said", () => {
    const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n\0]/g, ""));
    const message = fc.record({
      event: line,
      data: fc.string({ unit: "binary" }).map((text) => text.replaceAll("\r", "")),
      id: line,
      retryMs: fc.nat(),
      comments: fc.array(line),
    });
    fc.assert(
      fc.property(message, (said) => {
        const { frames, counts } = parse([renderSseFrame(said)]);
        expect(frames).toMatchObject([{ ...said, isPartial: false }]);
        expect(counts).toMatchObject({ unknownLines: 0, invalidLines: 0 });
      }),
    );
  });

  it("cannot be made to say more than one thing", () => {
    expect(() => renderSseFrame({ event: "a\ndata: b" })).toThrow(/^event takes one line/);
    expect(() => renderSseFrame({ id: "a\rdata: b" })).toThrow(/^id takes one line/);
    expect(() => renderSseFrame({ retryMs: -1 })).toThrow(/^retryMs takes a whole number/);
  });
});

function chunk(bytes: Uint8Array, lengths: readonly number[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...chunks, bytes.subarray(at)];
}
