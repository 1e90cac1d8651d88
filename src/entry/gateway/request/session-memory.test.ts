/** If red: a conversation that is slow to plan slows down every request, or is never planned again. */
import { describe, expect, it } from "vitest";
import { person, renderBody } from "../../../../test/gateway/conversation.ts";
import { noLedger } from "../store/gateway-store.ts";
import { parseRequest } from "./parse-request.ts";
import { replayView } from "./replay-view.ts";
import { createSessionMemories, isResting, prolong, type SessionMemory } from "./session-memory.ts";

/** A remembered request of so many bytes. */
function remember(session: string, said = session, bytes = 4_000): SessionMemory {
  const text = renderBody([person(said)]);
  const room = new ArrayBuffer(bytes);
  const body = Buffer.from(room, 0, text.length);
  body.write(text);
  const request = parseRequest(body);
  if (!request) throw new Error("the request is none");
  const replayed = replayView(request.conversation.messages, []);
  return { session, request, replayed, ledger: noLedger, facts: undefined, rest: undefined };
}

function open(maxBytes?: number) {
  const held: string[] = [];
  const nameOf = (body: Buffer): string => /"text":"(\w+)/.exec(String(body))?.[1] ?? "";
  const pool = {
    hold: (body: Buffer) => void held.push(`+${nameOf(body)}`),
    release: (body: Buffer) => void held.push(`-${nameOf(body)}`),
  };
  return { held, memories: createSessionMemories(pool, maxBytes) };
}

describe("what is remembered of conversations", () => {
  it("is the last request of each, and its body is held for as long", () => {
    const { held, memories } = open();
    const [first, second] = [remember("a", "first"), remember("a", "second", 6_000)];
    memories.keep("hint", first);
    expect([memories.find("a"), memories.guess("hint", Buffer.alloc(0)), memories.size()]).toEqual([
      first,
      first,
      { sessions: 1, bytes: 4_000 },
    ]);
    memories.keep("hint", second);
    expect([memories.find("a"), memories.size()]).toEqual([second, { sessions: 1, bytes: 6_000 }]);
    expect(held).toEqual(["+first", "+second", "-first"]);
    expect([memories.find("b"), memories.guess("other", Buffer.alloc(0))]).toEqual([undefined, undefined]);
  });

  it("is guessed by the most bytes in common among the last four of a hint", () => {
    const { memories } = open();
    const all = ["abcd", "abce", "abcf", "xyz", "abc"].map((said) => remember(said));
    for (const memory of all) memories.keep("hint", memory);
    const guess = (said: string) => memories.guess("hint", remember("new", said).request.bytes)?.session;
    expect(["abce and more", "abcf", "xyz", "xy", "abcd"].map(guess)).toEqual(["abce", "abcf", "xyz", "xyz", "abc"]);
    // One that comes again is the newest, and takes no second place.
    memories.keep("hint", remember("abce"));
    memories.keep("hint", remember("abcd"));
    expect(["abce", "abcd", "xyz"].map(guess)).toEqual(["abce", "abcd", "xyz"]);
    expect(memories.size().sessions).toBe(5);
  });

  it("is found by its hint for as long as it is used, however many others come and go", () => {
    const { memories } = open();
    const lost: number[] = [];
    for (let other = 0; other < 2_100; other++) {
      memories.keep("used", remember("used"));
      memories.keep(`other ${other}`, remember(`other${other}`, "other", 500));
      if (memories.guess("used", Buffer.alloc(0))?.session !== "used") lost.push(other);
    }
    expect(lost).toEqual([]);
    expect(memories.guess("other 0", Buffer.alloc(0))).toBeUndefined();
    expect(memories.size().sessions).toBe(2_000);
  });

  it("is no more than memory allows, least recently used first, and half of it where memory is short", () => {
    const { memories } = open(12_000);
    for (const name of ["a", "b", "c"]) memories.keep(name, remember(name));
    expect(memories.size()).toEqual({ sessions: 3, bytes: 12_000 });
    memories.keep("a", remember("a"));
    memories.keep("d", remember("d"));
    const known = () => ["a", "b", "c", "d"].filter((name) => memories.find(name));
    expect([known(), memories.size()]).toEqual([["a", "c", "d"], { sessions: 3, bytes: 12_000 }]);
    expect(memories.guess("b", Buffer.alloc(0))).toBeUndefined();
    memories.shrink();
    expect([known(), memories.size()]).toEqual([["d"], { sessions: 1, bytes: 4_000 }]);
    memories.shrink();
    expect(memories.size()).toEqual({ sessions: 0, bytes: 0 });
  });
});

describe("a rest after planning that took too long", () => {
  it("lasts a quarter of a second at first, twice as long each time in a row, and never longer than a minute", () => {
    const first = prolong(undefined, 1_000);
    expect(isResting(first, 1_249)).toBe(true);
    expect(isResting(first, 1_250)).toBe(false);
    expect(prolong(first, 5_000)).toEqual({ untilMs: 5_500, lengthMs: 500 });
    const tenth = Array.from({ length: 12 }).reduce<ReturnType<typeof prolong>>((rest) => prolong(rest, 0), first);
    expect(tenth.lengthMs).toBe(60_000);
  });

  it("ends where the clock is set back to before it began", () => {
    expect(isResting(prolong(undefined, 3_600_000), 0)).toBe(false);
  });

  it("is none where nothing took too long", () => {
    expect(isResting(undefined, 0)).toBe(false);
  });
});
