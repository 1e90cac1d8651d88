/** If red: a body of empty objects takes far more memory than the gateway has set aside for it. */
import { describe, expect, it } from "vitest";
import { estimateParsedBytes } from "./reader.ts";

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

  it("is nothing for nothing", () => {
    expect(estimateParsedBytes(Buffer.alloc(0))).toBe(0);
  });
});
