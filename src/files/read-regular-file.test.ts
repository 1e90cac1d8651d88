/** If red: a pipe in the place of a file hangs the client, or new lines of a transcript are lost. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { readHead, readObject, readQuietly, readRegularFile } from "./read-regular-file.ts";
import { readNewLines } from "./read-tail.ts";

const temporary = createTemporaryFolder();

function write(text: string): string {
  const file = temporary.name(".txt");
  writeFileSync(file, text);
  return file;
}

function makeFolder(): string {
  const folder = temporary.name("-folder");
  mkdirSync(folder);
  return folder;
}

/** Reading one waits until somebody writes. */
function makePipe(): string {
  const pipe = temporary.name("-pipe");
  execFileSync("mkfifo", [pipe]);
  return pipe;
}

const ABSENT = path.join(temporary.folder, "absent");

describe("a regular file", () => {
  it("is read up to the size that is allowed, and not at all above it", () => {
    const file = write("12345");
    expect([readRegularFile(file, 5), readRegularFile(file, 4)]).toEqual(["12345", undefined]);
    expect([readQuietly(file, 5), readQuietly(file, 4)]).toEqual(["12345", ""]);
  });

  it.each([
    ["a folder", makeFolder],
    ["a pipe", makePipe],
    ["nothing", () => ABSENT],
  ])("is not read where %s is in its place", (_name, make) => {
    const place = make();
    expect(readRegularFile(place, 100)).toBeUndefined();
    expect([readQuietly(place, 100), readHead(place), readObject(place)]).toEqual(["", "", undefined]);
  });

  it("is an object, or none", () => {
    const texts = ['{"a": 1}', "[1]", "{", ""];
    expect(texts.map((text) => readObject(write(text)))).toEqual([{ a: 1 }, undefined, undefined, undefined]);
    expect(readObject(write('{"a": 1}'), 4)).toBeUndefined();
  });

  it("has a beginning without its byte order mark, of 4,096 bytes", () => {
    expect(readHead(write("\uFEFFhead"))).toBe("head");
    expect(readHead(write("x".repeat(5_000)))).toHaveLength(4_096);
  });
});

describe("the new lines of a file", () => {
  const text = "one\ntwo\nthree\nfou";
  it("are the whole ones since an offset, and the next begin behind them", () => {
    const file = write(text);
    expect(readNewLines(file, 100, 4)).toEqual({ text: "two\nthree\n", nextOffset: 14, isSame: true });
    expect(readNewLines(file, 100, 14)).toEqual({ text: "", nextOffset: 14, isSame: true });
  });

  it("begin with a whole line where not all of them are read", () => {
    expect(readNewLines(write(text), 10, 0)).toEqual({ text: "three\n", nextOffset: 14, isSame: true });
  });

  it("are all lines of a file that has become shorter", () => {
    expect(readNewLines(write("new\n"), 100, 14)).toEqual({ text: "new\n", nextOffset: 4, isSame: false });
  });
});
