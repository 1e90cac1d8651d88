import type { JsonObject } from "../../core/json.ts";
import type { Block, Message, ResultPart } from "../../core/message.ts";
import { renderPictureNote } from "../../survive/recall/picture.ts";
import type { Shelf } from "./shelf.ts";

/** The address of a picture as it is stored, `data:image/png;base64,…`; `undefined` where it has none. */
export type FindPicture = (raw: JsonObject) => string | undefined;

/** Messages with every picture put away and named: what follows is one text, and a text holds none. */
export function namePictures(messages: readonly Message[], shelf: Shelf, find: FindPicture): readonly Message[] {
  const name = (raw: JsonObject): string | undefined => {
    const url = find(raw);
    return url && renderPictureNote(url, shelf.keep({ output: url, tool: "picture" })?.handle);
  };
  const nameBlock = (block: Block): Block => {
    if (block.kind === "image") {
      const text = name(block.raw);
      return text === undefined ? block : { kind: "text", id: block.id, text, author: "person" };
    }
    if (block.kind !== "toolResult" || block.parts.every(({ kind }) => kind === "text")) return block;
    return { ...block, parts: block.parts.map(namePart) };
  };
  const namePart = (part: ResultPart): ResultPart => {
    const text = part.kind === "image" ? name(part.raw) : undefined;
    return text === undefined ? part : { kind: "text", text };
  };
  return messages.map((message) => {
    const blocks = message.blocks.map(nameBlock);
    return blocks.every((block, index) => block === message.blocks[index]) ? message : { ...message, blocks };
  });
}
