/** If red: changed files are missing from the record, or one file is listed twice. */
import { describe, expect, it } from "vitest";
import { type Beat, calls, edits, follow, followEvents, toEvents } from "../../test/support/session-story.ts";
import { sha256 } from "../core/sha256.ts";
import { normalizePath } from "./file-path.ts";

function reads(path: string, content: string, seen: { readonly first?: number; readonly total?: number } = {}): Beat {
  const numLines = content.split("\n").length;
  const file = { filePath: path, content, startLine: seen.first ?? 1, numLines, totalLines: seen.total ?? numLines };
  return calls("Read", { file_path: path }, content, { detail: { type: "text", file } });
}

function writes(path: string, content: string, type?: "create" | "update"): Beat {
  const detail = { filePath: path, content, structuredPatch: [], ...(type && { type }) };
  return calls("Write", { file_path: path, content }, "File written.", { detail });
}

function replaces(path: string, original: string, [before, after]: readonly [string, string]): Beat {
  const detail = { filePath: path, originalFile: original, oldString: before, newString: after, replaceAll: false };
  return calls("Edit", { file_path: path, old_string: before, new_string: after }, "Updated.", { detail });
}

describe("files", () => {
  it("are told apart as created, modified and read", () => {
    const { files } = follow(writes("/p/new.ts", "x", "create"), edits("/p/old.ts"), reads("/p/seen.ts", "y"));
    expect(files.map(({ path, isCreated, edits: changes, reads: looks }) => [path, isCreated, changes, looks])).toEqual(
      [
        ["/p/new.ts", true, 1, 0],
        ["/p/old.ts", false, 1, 0],
        ["/p/seen.ts", false, 0, 1],
      ],
    );
  });

  it("count as created by a write that nobody looked before, where the host does not say", () => {
    const { files } = follow(writes("/p/new.ts", "x"), reads("/p/old.ts", "y"), writes("/p/old.ts", "z"));
    expect(files.map((file) => file.isCreated)).toEqual([true, false]);
  });

  it("are not created by a write that the host calls an update", () => {
    expect(follow(writes("/p/old.ts", "x", "update")).files.map((file) => file.isCreated)).toEqual([false]);
  });

  it("[R169] are in the order of their last touch, not of their first", () => {
    const { files } = follow(edits("/p/a.ts"), edits("/p/b.ts"), edits("/p/a.ts"));
    expect(files.map(({ path, changedRequest }) => [path, changedRequest])).toEqual([
      ["/p/b.ts", 2],
      ["/p/a.ts", 3],
    ]);
  });

  it("have the hash of what was read whole, written, or is left after an edit", () => {
    const { files } = follow(
      reads("/p/a.ts", "one"),
      writes("/p/b.ts", "two"),
      replaces("/p/c.ts", "say hello", ["hello", "$& goodbye"]),
    );
    expect(files.map((file) => file.contentHash)).toEqual(["one", "two", "say $& goodbye"].map((text) => sha256(text)));
  });

  it("have no hash after a change that does not tell the content, and keep it through a partial reading", () => {
    const { files } = follow(
      reads("/p/a.ts", "one"),
      edits("/p/a.ts"),
      reads("/p/b.ts", "two"),
      reads("/p/b.ts", "w", { first: 5, total: 90 }),
    );
    expect(files.map((file) => file.contentHash)).toEqual(["", sha256("two")]);
    expect(files[1]?.lastRange).toEqual({ first: 5, last: 5 });
  });

  it("have no hash after such a change in another process either, which begins with what was saved", () => {
    const events = toEvents(reads("/p/a.ts", "one"), edits("/p/a.ts"));
    const saved = followEvents(events.slice(0, 2));
    expect(saved.files.map((file) => file.contentHash)).toEqual([sha256("one")]);
    expect(followEvents(events.slice(2), saved).files.map((file) => file.contentHash)).toEqual([""]);
  });

  it("are not touched by calls that failed or were refused", () => {
    const refused = calls("Edit", { file_path: "/p/a.ts" }, "The user doesn't want to proceed with this tool use.", {
      isError: true,
    });
    expect(
      follow(refused, calls("Read", { file_path: "/p/b.ts" }, "File does not exist.", { isError: true })).files,
    ).toEqual([]);
  });

  it("are one file under a relative and an absolute path, and under both kinds of slashes", () => {
    const { files } = follow(
      edits("src/a.ts"),
      edits("/home/me/app/src/a.ts"),
      edits("./src/../src/a.ts"),
      edits("c:\\app\\b.ts"),
      edits("C:/app/b.ts"),
    );
    expect(files.map(({ path, edits: changes }) => [path, changes])).toEqual([
      ["/home/me/app/src/a.ts", 3],
      ["C:/app/b.ts", 2],
    ]);
  });

  it("stay apart where a relative path could be either", () => {
    const { files } = follow(edits("/app/one/index.ts"), edits("/app/two/index.ts"), edits("index.ts"));
    expect(files.map(({ path }) => path)).toEqual(["/app/one/index.ts", "/app/two/index.ts", "index.ts"]);
  });
});

describe("a path", () => {
  it.each([
    ["/a/b/../c/./d.ts", "/a/c/d.ts"],
    ["a\\b.ts", "a/b.ts"],
    ["d:\\x\\y.ts", "D:/x/y.ts"],
    ["\\\\server\\share\\x.ts", "//server/share/x.ts"],
    ["../up.ts", "../up.ts"],
    ["/../root.ts", "/root.ts"],
    ["/with\\backslash", "/with\\backslash"],
    ["", ""],
  ])("%s is spelled %s", (given, spelled) => {
    expect(normalizePath(given)).toBe(spelled);
  });
});
