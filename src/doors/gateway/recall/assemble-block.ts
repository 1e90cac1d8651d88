import type { JsonObject } from "../../../core/json.ts";
import { isJsonObject } from "../../../wire/is-json.ts";
import { parseJson } from "../parse-json.ts";

/** A content block that comes in pieces. */
export interface GrowingBlock {
  add(delta: JsonObject): void;
  whole(): JsonObject;
}

/** Text that a delta of each type brings, and the field that it goes on. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "signature",
};

export function createGrowingBlock(start: JsonObject): GrowingBlock {
  const block: Record<string, JsonObject[string]> = { ...start };
  let input = "";
  return {
    add(delta) {
      const { type, partial_json, citation } = delta;
      const field = typeof type === "string" ? TEXT_FIELDS[type] : undefined;
      if (field !== undefined) block[field] = `${block[field] ?? ""}${delta[field] ?? ""}`;
      else if (type === "input_json_delta" && typeof partial_json === "string") input += partial_json;
      else if (type === "citations_delta" && citation !== undefined)
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), citation];
    },
    whole() {
      const parsed = input === "" ? undefined : parseJson(input);
      return isJsonObject(parsed) ? { ...block, input: parsed } : { ...block };
    },
  };
}
