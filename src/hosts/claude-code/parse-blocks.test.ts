/** If red: a failed call is taken for a success, or a picture is weighed by its bytes. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Block } from "../../core/message.ts";
import { parseBlock, parseContent } from "./parse-blocks.ts";

const parse = (raw: JsonObject): Block => parseBlock(raw, "host");

describe("parseBlock", () => {
  it("reads text with its author", () => {
    expect(parse({ type: "text", text: "Hello" })).toEqual({
      kind: "text",
      id: "",
      text: "Hello",
      author: "host",
    });
  });

  it("reads thinking, with a signature or without one", () => {
    expect(parse({ type: "thinking", thinking: "Hm", signature: "sig" })).toEqual({
      kind: "thinking",
      id: "",
      text: "Hm",
      signature: "sig",
    });
    expect(parse({ type: "thinking", thinking: "Hm" })).toMatchObject({ text: "Hm", signature: "" });
  });

  it("takes the data of redacted thinking for its signature", () => {
    expect(parse({ type: "redacted_thinking", data: "opaque" })).toMatchObject({
      kind: "thinking",
      text: "",
      signature: "opaque",
    });
  });

  it("reads a call, and an input that is no object as empty", () => {
    expect(parse({ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } })).toEqual({
      kind: "toolCall",
      id: "",
      callId: "t1",
      tool: "Bash",
      input: { command: "ls" },
    });
    expect(parse({ type: "tool_use", id: "t1", name: "Bash", input: "ls" })).toMatchObject({ input: {} });
  });

  it.each<{ readonly content: Json; readonly parts: readonly JsonObject[]; readonly what: string }>([
    { what: "a string", content: "ok", parts: [{ kind: "text", text: "ok" }] },
    { what: "nothing", content: null, parts: [] },
    {
      what: "a list of texts and unknown parts",
      content: [{ type: "text", text: "a" }, { type: "tool_reference", tool_name: "X" }, 5],
      parts: [
        { kind: "text", text: "a" },
        { kind: "opaque", raw: { type: "tool_reference", tool_name: "X" } },
      ],
    },
  ])("reads a result of $what", ({ content, parts }) => {
    expect(parse({ type: "tool_result", tool_use_id: "t1", content })).toEqual({
      kind: "toolResult",
      id: "",
      callId: "t1",
      parts,
      isError: false,
    });
  });

  it("tells a failed result from one that only mentions an error", () => {
    expect(parse({ type: "tool_result", tool_use_id: "t1", content: "Error", is_error: true })).toMatchObject({
      isError: true,
    });
    expect(parse({ type: "tool_result", tool_use_id: "t1", content: "Error", is_error: "yes" })).toMatchObject({
      isError: false,
    });
  });

  it("measures images by their encoded length and keeps them raw", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw==" } };
    const read = { mediaType: "image/png", encodedLength: 8, raw: image };
    expect(parse(image)).toEqual({ kind: "image", id: "", ...read });
    expect(parse({ type: "tool_result", tool_use_id: "t1", content: [image] })).toMatchObject({
      parts: [{ kind: "image", ...read }],
    });
  });

  it("measures an image by its address where it has no data", () => {
    const image = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
    expect(parse(image)).toMatchObject({ encodedLength: 25, mediaType: "" });
  });

  it("carries what it does not know through as it came", () => {
    const strange = { type: "hologram", depth: [1, 2], nested: { deep: null } };
    const block = parse(strange);
    expect(block).toMatchObject({ kind: "opaque", type: "hologram" });
    expect(block.kind === "opaque" && block.raw).toBe(strange);
  });
});

describe("parseContent", () => {
  const read = (content: Json | undefined): readonly Block[] => parseContent(content, "model");

  it("takes a bare string for one text block", () => {
    expect(read("Hello")).toMatchObject([{ kind: "text", text: "Hello", author: "model" }]);
  });

  it("finds no blocks where there is no content, and passes over what is no block", () => {
    expect([read(undefined), read(null), read(5), read({ type: "text" })]).toEqual([[], [], [], []]);
    expect(read(["loose", null, 7, { type: "text", text: "kept" }])).toMatchObject([{ text: "kept" }]);
  });
});
