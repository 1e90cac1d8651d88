import type { JsonObject } from "../../../core/json.ts";
import { isParsedObject, parseJson } from "../parse-json.ts";
import { renderValue, setMembers } from "../request/set-members.ts";
import type { RoundBlock } from "./round.ts";

/** A content block that comes in pieces. */
export interface GrowingBlock {
  add(delta: JsonObject): void;
  whole(): RoundBlock;
}

/** Text that a delta of each type brings, and the field that it goes on. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "signature",
};

/** `bytes` is the beginning as it was written: what no delta changes keeps them, and so does the input of a call. */
export function createGrowingBlock(start: JsonObject, bytes: Buffer): GrowingBlock {
  const grown: Record<string, JsonObject[string]> = {};
  let input = "";
  return {
    add(delta) {
      const { type, partial_json, citation } = delta;
      const field = typeof type === "string" ? TEXT_FIELDS[type] : undefined;
      if (field !== undefined) grown[field] = `${grown[field] ?? start[field] ?? ""}${delta[field] ?? ""}`;
      else if (type === "input_json_delta" && typeof partial_json === "string") input += partial_json;
      else if (type === "citations_delta" && citation !== undefined) {
        const before = grown.citations ?? start.citations;
        grown.citations = [...(Array.isArray(before) ? before : []), citation];
      }
    },
    whole() {
      const parsed = input === "" ? undefined : parseJson(input);
      const called = isParsedObject(parsed) ? { input: parsed } : {};
      const written = Object.fromEntries(Object.entries(grown).map(([key, value]) => [key, renderValue(value)]));
      const given = isParsedObject(parsed) ? { input: Buffer.from(input.trim()) } : {};
      return { raw: { ...start, ...grown, ...called }, bytes: setMembers(bytes, { ...written, ...given }) };
    },
  };
}
