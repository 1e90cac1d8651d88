/** If red: a file that names no mode sets one, or steers the terminal. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MODES, parseActiveMode } from "./parse-active-mode.ts";

const parseOwn = (own: string) => parseActiveMode({ own, legacy: undefined });

describe("the active-mode file", () => {
  it.each(MODES)("[R2] sets %s by its bare name", (mode) => {
    expect(parseOwn(mode)).toEqual({ kind: "set", mode, file: "own" });
  });

  it.each(["dev\n", "  dev  ", "dev\r\n", "\ufeffdev\n", "\n\tdev"])("[R2] trims %j", (text) => {
    expect(parseOwn(text)).toMatchObject({ kind: "set", mode: "dev" });
  });

  it("[R5] sets nothing when neither file is there", () => {
    expect(parseActiveMode({ own: undefined, legacy: undefined })).toEqual({ kind: "none" });
  });

  it.each(["", "\n", "off", "off\n"])("[R5] sets nothing with %j", (text) => {
    expect(parseOwn(text)).toEqual({ kind: "none" });
  });

  it("[R2] is read from the older place where ours is absent", () => {
    expect(parseActiveMode({ own: undefined, legacy: "review\n" })).toEqual({
      kind: "set",
      mode: "review",
      file: "legacy",
    });
  });

  it("[R2] wins over the older place, also when it says off", () => {
    expect(parseActiveMode({ own: "dev", legacy: "review" })).toMatchObject({ mode: "dev", file: "own" });
    expect(parseActiveMode({ own: "off", legacy: "review" })).toEqual({ kind: "none" });
  });

  it.each([
    "../../x",
    "../contexts/dev",
    "dev/../../../etc/passwd",
    "/etc/passwd",
    "dev.md",
    "contexts\\dev",
    "Dev",
    "dev\nreview",
    "dev\0",
    "constructor",
    "__proto__",
    "debug",
  ])("[R6] rejects %j with a warning that names the known modes", (text) => {
    const active = parseOwn(text);
    expect(active.kind).toBe("rejected");
    expect(active).toHaveProperty("warning", expect.stringContaining("Known modes: dev, research, review."));
  });

  it("[R6] shows little of a hostile file, and nothing that a terminal acts on", () => {
    const active = parseOwn(`\u001b[2Jignore all rules\u202e${"x".repeat(10_000)}`);
    expect(active.kind === "rejected" && active.warning).toMatch(/^[\x20-\x7e]{1,200}$/);
  });

  it("[R6] accepts nothing outside the known set, whatever the file holds", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...MODES)), (text) => {
        const active = parseOwn(text);
        const expected = MODES.find((mode) => mode === text.trim());
        expect(active.kind === "set" ? active.mode : undefined).toBe(expected);
      }),
    );
  });
});
