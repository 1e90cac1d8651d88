/** If red: a large body takes memory that is not there, or waits behind others without an end. */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { type BodyError, readBody, readDecoded } from "./read-body.ts";

const MB = 1024 * 1024;

/** A request whose body a test hands over piece by piece, and all that is done about it. */
function open(
  headers: Readonly<Record<string, string>>,
  given: { has?: boolean; hasNoRoom?: true; waitMs?: number } = {},
) {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming.headers, headers);
  incoming._read = () => undefined;
  const done: unknown[] = [];
  const whole = Buffer.alloc(4 * MB);
  const reading = readBody(incoming, {
    maxBodyBytes: 3 * MB,
    reader: { expectedMs: (bytes) => (given.waitMs ?? 0) + 0 * bytes },
    room: {
      async find(wanted) {
        done.push(wanted);
        return given.hasNoRoom ? undefined : () => void done.push("taken");
      },
      has: () => given.has ?? true,
    },
    pool: {
      take(bytes) {
        done.push(`take ${bytes}`);
        return whole.subarray(0, bytes);
      },
      release: (body) => void done.push(`release ${body.length}`),
    },
    pace: { came: (_flow, bytes) => void done.push(bytes), leave: () => void done.push("leave") },
  });
  const settled = reading.then(
    (body) => body,
    ({ code, retryAfterSeconds }: BodyError) => [code, retryAfterSeconds],
  );
  const say = async (...pieces: readonly (Buffer | null)[]): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const piece of pieces) {
      if (piece === null) incoming.complete = true;
      incoming.push(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { incoming, done, settled, say };
}

describe("a body", () => {
  it("of announced length is put together where it comes, once there is room", async () => {
    const { settled, say, done } = open({ "content-length": "5" });
    await say(Buffer.from("abc"), Buffer.from("de"), null);
    expect(String(await settled)).toBe("abcde");
    expect(done).toEqual([{ outsideBytes: 5 }, "take 5", "taken", 3, 2, "leave"]);
  });

  it("of unknown length asks for room by the megabyte, and only where it begins another one", async () => {
    const chunked = { "transfer-encoding": "chunked" };
    const { settled, say, done } = open(chunked, { has: false });
    await say(Buffer.from("abc"), Buffer.alloc(MB - 4), null);
    expect((await settled).length).toBe(MB - 1);
    expect(done.slice(0, 4)).toEqual([{ outsideBytes: MB }, "taken", 3, MB - 4]);
    const full = open(chunked, { has: false });
    await full.say(Buffer.alloc(MB - 1), Buffer.from("a"));
    expect(await full.settled).toEqual(["memory", 1]);
    expect([full.incoming.isPaused(), full.done.at(-1)]).toEqual([true, "leave"]);
    const roomy = open(chunked);
    await roomy.say(Buffer.alloc(MB), Buffer.alloc(MB), null);
    expect((await roomy.settled).length).toBe(2 * MB);
    const announced = open({ "content-length": String(2 * MB) }, { has: false });
    await announced.say(Buffer.alloc(MB), Buffer.alloc(MB), null);
    expect((await announced.settled).length).toBe(2 * MB);
  });

  it("may be as large as it may be, and not a byte larger, whatever it announced", async () => {
    const largest = open({ "content-length": String(3 * MB) });
    await largest.say(Buffer.alloc(3 * MB), null);
    expect((await largest.settled).length).toBe(3 * MB);
    const announced = open({ "content-length": String(3 * MB + 1) });
    expect([await announced.settled, announced.done]).toEqual([["body", 1], []]);
    const chunked = open({});
    await chunked.say(Buffer.alloc(3 * MB), Buffer.from("a"));
    expect(await chunked.settled).toEqual(["body", 1]);
    expect(chunked.incoming.isPaused()).toBe(true);
  });

  it("is not waited for where others would keep it waiting for longer than fifteen seconds, or without room", async () => {
    expect(await open({ "content-length": "5" }, { waitMs: 15_001 }).settled).toEqual(["busy", 16]);
    expect(await open({ "content-length": "5" }, { hasNoRoom: true }).settled).toEqual(["memory", 1]);
    const patient = open({ "content-length": "1" }, { waitMs: 15_000 });
    await patient.say(Buffer.from("a"), null);
    expect(String(await patient.settled)).toBe("a");
  });

  it("whose client leaves is given up, and its memory is free again", async () => {
    const during = open({ "content-length": "5" });
    await during.say(Buffer.from("abc"));
    during.incoming.destroy();
    expect(await during.settled).toEqual(["aborted", 1]);
    expect(during.done.slice(-2)).toEqual(["leave", "release 5"]);
    const before = open({});
    before.incoming.destroy();
    expect(await before.settled).toEqual(["aborted", 1]);
    const broken = open({});
    await broken.say(Buffer.from("a"));
    broken.incoming.destroy(new Error("reset"));
    expect(await broken.settled).toEqual(["aborted", 1]);
    const late = open({});
    await late.say(Buffer.from("a"));
    late.incoming.complete = true;
    late.incoming.destroy(new Error("reset"));
    expect(await late.settled).toEqual([undefined, undefined]);
  });
});

describe("an answer that is read here", () => {
  const answer = (
    headers: Readonly<Record<string, string>>,
    ...pieces: readonly (Buffer | null)[]
  ): IncomingMessage => {
    const made = new IncomingMessage(new Socket());
    Object.assign(made.headers, headers);
    made._read = () => undefined;
    for (const piece of pieces) made.push(piece);
    return made;
  };
  const text = Buffer.from("a".repeat(100));

  it("is read up to the limit, and the rest is left to whoever passes it on", async () => {
    const long = answer({}, Buffer.from("abc"), Buffer.from("def"), Buffer.from("ghi"));
    const { begun, decoded } = await readDecoded(long, 6, 100);
    expect([String(Buffer.concat(begun)), String(decoded), long.isPaused()]).toEqual(["abcdef", "abcdef", true]);
    expect(String(long.read())).toBe("ghi");
    const short = await readDecoded(answer({}, Buffer.from("abc"), null), 6);
    expect([String(Buffer.concat(short.begun)), String(short.decoded)]).toEqual(["abc", "abc"]);
  });

  it("is decoded up to a limit of its own", async () => {
    const packed = () => answer({ "content-encoding": "gzip" }, zlib.gzipSync(text), null);
    expect(await readDecoded(packed(), 1_000)).toMatchObject({ decoded: text });
    expect(await readDecoded(packed(), 1_000, 100)).toMatchObject({ decoded: text });
    expect((await readDecoded(packed(), 1_000, 99)).decoded).toBeUndefined();
  });

  it("is what came of it where it breaks off", async () => {
    const broken = answer({}, Buffer.from("abc"));
    setImmediate(() => broken.destroy(new Error("reset")));
    expect(String((await readDecoded(broken, 6)).decoded)).toBe("abc");
  });
});
