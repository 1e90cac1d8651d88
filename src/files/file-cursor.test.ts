/** If red: a transcript that grows is read twice or a line of it is skipped, and costs and load are wrong. */
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { needs } from "../../test/support/needs.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { type FileCursor, MAX_LINE_BYTES, readAppendedLines } from "./file-cursor.ts";

const { folder, name } = createTemporaryFolder();

/** A file as a writer that knows nothing of its readers leaves it. */
function write(content: string | Buffer): string {
  const file = name();
  writeFileSync(file, content);
  return file;
}

function read(file: string, cursor?: FileCursor) {
  const lines: string[] = [];
  const appended = readAppendedLines(
    file,
    {
      onRestart: () => lines.push("(again)"),
      onLine: (line) => lines.push(line),
      onOverlongLine: () => lines.push("(too long)"),
    },
    cursor,
  );
  return { ...appended, lines };
}

/** Linux counts what a process reads. */
const SELF_IO = "/proc/self/io";

function countReadBytes(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync(SELF_IO, "utf8"))?.[1]);
}

describe("readAppendedLines", () => {
  it("feeds every line of a file that it sees for the first time", () => {
    const first = read(write("a\n\nb\n"));
    expect(first).toMatchObject({ lines: ["a", "", "b"], restart: "first", bytesRead: 5, unfinishedBytes: 0 });
  });

  it("reads as many bytes as were added, and none when none were", () => {
    const file = write("a\nb\n");
    const first = read(file);
    appendFileSync(file, "cc\n");
    const second = read(file, first.cursor);
    expect(second).toMatchObject({ lines: ["cc"], restart: undefined, bytesRead: 3 });
    expect(read(file, second.cursor)).toMatchObject({
      lines: [],
      restart: undefined,
      bytesRead: 0,
      unfinishedBytes: 0,
    });
  });

  needs(existsSync(SELF_IO), "no /proc/self/io on this machine").it(
    "takes no more than that from the disk, but for what it knows the file by",
    () => {
      const file = write("x".repeat(99).concat("\n").repeat(40_000));
      const { cursor } = read(file);
      appendFileSync(file, "a few more bytes\n");
      const before = countReadBytes();
      const { bytesRead } = read(file, cursor);
      expect(bytesRead).toBe(17);
      expect(countReadBytes() - before).toBeLessThan(4_000);
    },
  );

  it("leaves a line that is still being written until it is whole", () => {
    const file = write('a\n{"b":');
    const first = read(file);
    expect(first).toMatchObject({ lines: ["a"], unfinishedBytes: 5 });
    appendFileSync(file, "1}\n");
    expect(read(file, first.cursor)).toMatchObject({ lines: ['{"b":1}'], bytesRead: 8, unfinishedBytes: 0 });
  });

  it("takes a last line without line feed when it is a whole object, and not a second time when the feed comes", () => {
    const file = write('a\n{"b":1}');
    const first = read(file);
    expect(first).toMatchObject({ lines: ["a", '{"b":1}'], unfinishedBytes: 0 });
    appendFileSync(file, '\n{"c":2}\n');
    expect(read(file, first.cursor).lines).toEqual(["", '{"c":2}']);
  });

  it.each([
    { tail: '{"b":1}\r', taken: true },
    { tail: '{"b":"}', taken: false },
    { tail: '{"b":{}', taken: false },
    { tail: "12", taken: false },
    { tail: "[1]", taken: false },
    { tail: "null", taken: false },
  ])("takes the unended $tail: $taken", ({ tail, taken }) => {
    const { lines, unfinishedBytes } = read(write(`a\n${tail}`));
    expect({ lines, unfinishedBytes }).toEqual(
      taken ? { lines: ["a", tail], unfinishedBytes: 0 } : { lines: ["a"], unfinishedBytes: tail.length },
    );
  });

  it("takes a byte order mark before a whole object for no part of it", () => {
    expect(read(write('\uFEFF{"a":1}'))).toMatchObject({ lines: ['\uFEFF{"a":1}'], unfinishedBytes: 0 });
  });

  it("does not call the growth of a file that was empty at first a restart", () => {
    const file = write("");
    const first = read(file);
    appendFileSync(file, "a\n");
    expect(read(file, first.cursor)).toMatchObject({ lines: ["a"], restart: undefined });
  });

  it("keeps carriage returns for the reader to judge", () => {
    expect(read(write("a\r\nb\r\n")).lines).toEqual(["a\r", "b\r"]);
  });

  it("replaces bytes that are no UTF-8 and goes on", () => {
    const { lines } = read(write(Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0x62, 0x0a])));
    expect(lines).toEqual(["a\uFFFD\uFFFD", "b"]);
  });

  it("gives the same lines wherever the writer paused, within characters of several bytes too", () => {
    const bytes = Buffer.from('{"t":"äöü"}\n{"t":"日本語"}\r\n\n{"t":"🚢⚓"}\n');
    const wordsOf = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== "");
    const whole = wordsOf(read(write(bytes)).lines);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const file = write(bytes.subarray(0, cut));
      const first = read(file);
      appendFileSync(file, bytes.subarray(cut));
      const second = read(file, first.cursor);
      expect(wordsOf([...first.lines, ...second.lines])).toEqual(whole);
      expect(first.cursor.offset + second.bytesRead).toBe(bytes.length);
    }
  });

  it("hands bytes over undecoded to who asks for bytes", () => {
    const lines: string[] = [];
    readAppendedLines(write('a\nbb\n{"c":1}'), {
      onBytes: (bytes, from, to) => lines.push(bytes.toString("hex", from, to)),
      onLine: () => lines.push("decoded"),
      onOverlongLine: () => lines.push("too long"),
    });
    expect(lines).toEqual(["a", "bb", '{"c":1}'].map((line) => Buffer.from(line).toString("hex")));
  });

  it("throws what the file system says, for the entry point to explain", () => {
    expect(() => read(name())).toThrow(/ENOENT/);
    expect(() => read(folder)).toThrow(/EISDIR/);
  });
});

describe("readAppendedLines on another file than before", () => {
  const old = "one\ntwo\nthree\n";

  it("starts over when the file was cut", () => {
    const file = write(old);
    const { cursor } = read(file);
    truncateSync(file, 4);
    expect(read(file, cursor)).toMatchObject({ lines: ["(again)", "one"], restart: "truncated", bytesRead: 4 });
  });

  it("starts over when the file was emptied, and reads what comes then from its first byte", () => {
    const file = write(old);
    const first = read(file);
    truncateSync(file, 0);
    const second = read(file, first.cursor);
    expect(second).toMatchObject({ lines: ["(again)"], restart: "truncated" });
    appendFileSync(file, "new\n");
    expect(read(file, second.cursor)).toMatchObject({ lines: ["new"], restart: undefined });
  });

  it("starts over when the file was moved away and begun anew, though all that was read is there again", () => {
    const file = write(old);
    const { cursor } = read(file);
    renameSync(file, name());
    writeFileSync(file, `${old}four\n`);
    expect(read(file, cursor)).toMatchObject({
      lines: ["(again)", "one", "two", "three", "four"],
      restart: "replaced",
    });
  });

  it.each([
    { how: "of the same size", content: "ONE\ntwo\nthree\n" },
    { how: "of the same size and beginning", content: "one\ntwo\nTHREE\n" },
    { how: "that is larger", content: "uno\ndos\ntres\ncuatro\n" },
    { how: "that is larger and begins alike", content: "one\ntwo\nthree and more\n" },
  ])("starts over when other content $how was written in place", ({ content }) => {
    const file = write(old);
    const { cursor } = read(file);
    overwrite(file, content);
    expect(read(file, cursor)).toMatchObject({
      lines: ["(again)", ...content.trimEnd().split("\n")],
      restart: "replaced",
    });
  });

  it("notices another beginning and another end in files longer than what it remembers of them", () => {
    const middle = `${"x".repeat(2_000)}\n`;
    const file = write(`one\n${middle}end\n`);
    const { cursor } = read(file);
    overwrite(file, `ONE\n${middle}end\n`);
    expect(read(file, cursor).restart).toBe("replaced");
    overwrite(file, `one\n${middle}END\n`);
    expect(read(file, cursor).restart).toBe("replaced");
    overwrite(file, `one\n${middle}end\nmore\n`);
    expect(read(file, cursor)).toMatchObject({ lines: ["more"], restart: undefined, bytesRead: 5 });
  });

  it("tells of the restart before the first line, and not when a file is new", () => {
    const file = write(old);
    const first = read(file);
    expect(first.lines[0]).toBe("one");
    copyFileSync(write("other\n"), file);
    expect(read(file, first.cursor).lines).toEqual(["(again)", "other"]);
  });

  /** Keeps the inode, as an editor that writes in place does. */
  function overwrite(file: string, content: string): void {
    const descriptor = openSync(file, "r+");
    ftruncateSync(descriptor, 0);
    closeSync(descriptor);
    appendFileSync(file, content);
  }
});

describe("readAppendedLines on large files", () => {
  const MEGABYTE = 1 << 20;

  it("joins lines that are longer than what it reads at once", () => {
    const long = "y".repeat(2.5 * MEGABYTE);
    expect(read(write(`a\n${long}\nb\n`)).lines).toEqual(["a", long, "b"]);
  });

  it("finds a line feed that is the last byte of one read or the first of the next", () => {
    for (const length of [MEGABYTE - 1, MEGABYTE, MEGABYTE + 1]) {
      const { lines } = read(write(`${"z".repeat(length)}\nend\n`));
      expect(lines.map((line) => line.length)).toEqual([length, 3]);
    }
  });

  it("sees nothing of the file that was read before", () => {
    read(write("stale\n".repeat(300_000)));
    const fresh = "w".repeat(MEGABYTE / 4);
    expect(read(write(`${fresh}\n${fresh}`))).toMatchObject({ lines: [fresh], unfinishedBytes: MEGABYTE / 4 });
  });

  it("passes over a line that is too long to be a record, and reads the next", () => {
    const file = write("a\n");
    truncateSync(file, MAX_LINE_BYTES + 2 * MEGABYTE);
    appendFileSync(file, "\nb\n");
    expect(read(file).lines).toEqual(["a", "(too long)", "b"]);
  });

  it("does not count a line that is too long before it has ended", () => {
    const file = write("a\n");
    truncateSync(file, MAX_LINE_BYTES + 2 * MEGABYTE);
    const first = read(file);
    expect(first).toMatchObject({ lines: ["a"], unfinishedBytes: MAX_LINE_BYTES + 2 * MEGABYTE - 2 });
    appendFileSync(file, "\nb\n");
    expect(read(file, first.cursor).lines).toEqual(["(too long)", "b"]);
  });
});
