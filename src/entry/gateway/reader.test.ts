/** If red: a body of empty objects takes far more memory than the gateway has set aside for it. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSlices } from "./http/slices.ts";
import { createUnchanged, type Prepared } from "./prepared.ts";
import { createReader, createReaderBySize, estimateParsedBytes, type Reader } from "./reader.ts";
import { UnexpandedError } from "./wire.ts";

const MEGABYTE = 1_000_000;
const weigh = (body: string): number => estimateParsedBytes(Buffer.from(body)) / Buffer.byteLength(body);

describe("what a body weighs once it is parsed", () => {
  it("is little more than its bytes where it is one long text, and two hundred times that where it is empty objects", () => {
    expect(weigh(`{"text":"${"a".repeat(MEGABYTE)}"}`)).toBeLessThan(3);
    expect(weigh(`[${"{},".repeat(MEGABYTE / 3)}{}]`)).toBeGreaterThan(200);
    expect(weigh(`[${'{"role":"user","content":"a"},'.repeat(MEGABYTE / 30)}{}]`)).toBeGreaterThan(44);
  });

  it("is found wherever the many things stand", () => {
    const [things, text] = ["{},".repeat(MEGABYTE / 30), `"${"a".repeat((MEGABYTE * 9) / 10)}"`];
    for (const body of [`[${things}${text}]`, `[${text},${things}{}]`]) expect(weigh(body)).toBeGreaterThan(15);
  });

  it("is seven hundred bytes for each thing that opens, a hundred and sixty for each that goes on, and two for each byte", () => {
    expect(estimateParsedBytes(Buffer.from('{"a":[1,2]}'))).toBe(2 * 11 + 2 * 700 + 2 * 160);
    expect(estimateParsedBytes(Buffer.from('"]}"'))).toBe(8);
  });

  it.each([
    [0, 0],
    [1 - Number.EPSILON, 744],
  ])("is looked for at places that a sender cannot foresee: %d", (chance, from) => {
    // A thousand bytes for each of the 32 samples, with things in 256 of them.
    const part = `${" ".repeat(from)}${"[".repeat(256)}${" ".repeat(744 - from)}`;
    const spy = vi.spyOn(Math, "random").mockReturnValue(chance);
    onTestFinished(() => void spy.mockRestore());
    expect(weigh(part.repeat(32))).toBeGreaterThan(chance === 0 ? 701 : 690);
    spy.mockReturnValue(1 - Number.EPSILON - chance);
    expect(weigh(part.repeat(32))).toBeLessThan(30);
  });

  it("is nothing for nothing", () => {
    expect(estimateParsedBytes(Buffer.alloc(0))).toBe(0);
  });
});

describe("a reader", () => {
  const body = Buffer.from('{"a":1}');
  const read = async (prepare: () => Promise<Prepared>, room: { has: boolean; isFound: boolean }) => {
    const asked: unknown[] = [];
    const preparer = {
      prepare: (...given: readonly unknown[]) => {
        asked.push(given);
        return prepare();
      },
      remembered: () => ({ sessions: 1, bytes: 2 }),
      forget: () => void asked.push("forget"),
    };
    const waits = {
      find: async (wanted: unknown) => {
        asked.push(wanted);
        return room.isFound ? () => void asked.push("read") : undefined;
      },
      has: () => room.has,
      waiting: () => 3,
    };
    const reader = createReader(preparer, createSlices(), waits);
    const result = reader.read(body, { user: "ada", headers: {} }, { purpose: "messages", queuedMs: 1_000 });
    return { asked, reader, result };
  };
  const known = async (): Promise<Prepared> => ({ ...createUnchanged(body), session: "5e55" });
  const wanted = { heapBytes: 2 * 7 + 700 + 160 };

  it("reads at once where there is room, or when there is, or not at all", async () => {
    const atOnce = await read(known, { has: true, isFound: false });
    expect(await atOnce.result).toMatchObject({ prepared: { session: "5e55" }, unread: undefined });
    expect(atOnce.asked).toEqual([
      [body, { user: "ada", headers: {} }, { purpose: "messages", queuedMs: expect.any(Number) }],
    ]);
    const [[, , { queuedMs }]] = atOnce.asked as [[unknown, unknown, { queuedMs: number }]];
    expect([queuedMs >= 1_000, queuedMs < 60_000]).toEqual([true, true]);
    const later = await read(known, { has: false, isFound: true });
    expect(await later.result).toMatchObject({ prepared: { session: "5e55" } });
    expect(later.asked).toEqual([wanted, expect.any(Array), "read"]);
    const never = await read(known, { has: false, isFound: false });
    expect(await never.result).toMatchObject({ prepared: { session: "", pieces: [body] }, unread: "memory" });
    expect(never.asked).toEqual([wanted]);
    expect(never.reader.figures()).toEqual({ sessions: 1, bytes: 2, slicesWaiting: 0, memoryWaiting: 3 });
    never.reader.forget();
    expect([never.asked.at(-1), never.reader.expectedMs(7)]).toEqual(["forget", 0]);
  });

  it("says what was not understood, sends it unchanged after a fault, and stops only where a history is missing", async () => {
    const room = { has: true, isFound: true };
    expect(await (await read(async () => createUnchanged(body), room)).result).toMatchObject({ unread: "body" });
    const incidents = await read(async () => createUnchanged(body, ["away"]), room);
    expect(await incidents.result).toMatchObject({ unread: undefined, prepared: { incidents: ["away"] } });
    const fault = await (await read(() => Promise.reject(new Error("a fault of ours")), room)).result;
    expect(fault).toMatchObject({ prepared: { pieces: [body], incidents: ["exception"] } });
    expect([fault.unread, fault.prepared.planMs < 60_000]).toEqual([undefined, true]);
    const missing = await read(() => Promise.reject(new UnexpandedError("gone")), room);
    await expect(missing.result).rejects.toThrow(UnexpandedError);
  });

  it("of large bodies is another one, and both are one to whoever asks", async () => {
    const done: string[] = [];
    const make = (name: string, count: number): Reader => ({
      async read(bytes) {
        done.push(`${name} ${bytes.length}`);
        return { prepared: createUnchanged(bytes) };
      },
      expectedMs: (bytes) => bytes * count,
      forget: () => void done.push(`${name} forgets`),
      figures: () => ({ sessions: count, bytes: 2 * count, slicesWaiting: 3 * count, memoryWaiting: 4 * count }),
    });
    const reader = createReaderBySize(make("small", 1), make("large", 10), 5);
    for (const bytes of [4, 5]) await reader.read(Buffer.alloc(bytes), { user: "", headers: {} }, { purpose: "count" });
    reader.forget();
    expect(done).toEqual(["small 4", "large 5", "small forgets", "large forgets"]);
    expect([reader.expectedMs(4), reader.expectedMs(5)]).toEqual([4, 50]);
    expect(reader.figures()).toEqual({ sessions: 11, bytes: 22, slicesWaiting: 33, memoryWaiting: 44 });
  });
});
