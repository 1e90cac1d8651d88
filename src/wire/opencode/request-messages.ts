import { type JsonObject, textField } from "../../core/json.ts";
import type { ResultPart } from "../../core/message.ts";
import type { Draft, Format } from "../conversation.ts";
import { draftCall, draftText, type Party, parseCall, parseSpoken, renderIdentity } from "../draft.ts";
import { isJsonObject } from "../is-json.ts";

/** Reads and writes the messages of a request as OpenCode 2 passes them to its plugins. Only segments of ledger are ever written. */
export const requestFormat: Format = {
  parseMessage: (raw) => parseSpoken(raw, PARTIES, draftPart),
  renderBlock: (block) => ({ type: "text", text: block.kind === "text" ? block.text : "" }),
  renderMessage: ({ role }, content) => ({ role, content }),
};

const PARTIES = { user: "person", assistant: "model", tool: "host" } as const;

function draftPart(raw: JsonObject, party: Party): Draft | undefined {
  // A call that the provider ran itself stays with its result, unchanged.
  if (raw.providerExecuted === true) return undefined;
  switch (raw.type) {
    case "text":
      return draftText(raw.text, party);
    case "reasoning": {
      const [text, signature] = [textField(raw, "text"), textField(raw, "encrypted")];
      return { kind: "thinking", text, signature, identity: renderIdentity(raw) };
    }
    case "tool-call":
      return draftCall(parseCall(raw.id || undefined, textField(raw, "name"), raw.input));
    case "tool-result":
      return draftResult(textField(raw, "id"), raw.result);
    default:
      return undefined;
  }
}

function draftResult(callId: string, result: JsonObject[string]): Draft | undefined {
  if (callId === "" || !isJsonObject(result)) return undefined;
  const { type, value } = result;
  const parts: readonly ResultPart[] =
    type === "content" && Array.isArray(value)
      ? value.filter(isJsonObject).map((part) => {
          const text = part.type === "text" ? part.text : undefined;
          return typeof text === "string" ? { kind: "text", text } : { kind: "opaque", raw: part };
        })
      : [{ kind: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? null) }];
  return { kind: "toolResult", callId, parts, isError: type === "error" };
}
