import { objectField } from "../core/json.ts";
import type { NamedOriginal } from "../layers/history/originals.ts";
import type { RecallAnswer } from "../survive/recall/answer-recall.ts";
import { createHashPort, type HashedOriginals, recall } from "../survive/recall/recall.ts";
import { RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../survive/recall/recall-request.ts";
import { isJsonObject } from "./conversation.ts";

/** What a model may ask for: a handle and, of a long text, a page, lines or matches of a pattern. */
export interface RecallInput {
  readonly handle: string;
  readonly page?: number;
  readonly lines?: number[];
  readonly pattern?: string;
}

/** The tool that returns what left the conversation, without any SDK; its answer is text, also for an error. */
export interface RecallTool {
  readonly name: "recall";
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: { type: "object"; properties: Record<string, unknown>; required: string[] };
  readonly run: (input: RecallInput) => Promise<string>;
}

export function createRecallTool(originals: HashedOriginals): RecallTool {
  if (typeof originals?.hashes !== "function" || typeof originals.read !== "function")
    throw new TypeError("originals must come from createOriginals(), whose `store` you also pass to compact");
  const port = createHashPort(originals);
  return {
    name: "recall",
    description: RECALL_DESCRIPTION,
    parameters: {
      type: "object",
      required: ["handle"],
      properties: { ...objectField(RECALL_PARAMETERS, "properties") },
    },
    run: async (input) => renderText(await recall(isJsonObject(input) ? input : {}, port)),
  };
}

/** A picture is no text, so its type and size are given. */
function renderText(answer: RecallAnswer): string {
  if (answer.isError) return answer.words;
  return answer.blocks
    .map((block) => (typeof block === "string" ? block : `[${block.mediaType}, ${block.bytes} bytes: no text]`))
    .join("\n");
}

/** Where originals are stored: `store` is the option of `compact`, the rest is what recall needs. */
export interface OriginalStore extends HashedOriginals {
  readonly store: (originals: readonly NamedOriginal[]) => void | Promise<void>;
}

/** In memory, for a conversation that ends with its process; `openOriginals` of `plimsoll/files` keeps them on disk. */
export function createOriginals(): OriginalStore {
  const texts = new Map<string, string>();
  return {
    store(originals) {
      for (const { hash, text } of originals) texts.set(hash, text);
    },
    hashes: () => [...texts.keys()],
    read: (hash) => texts.get(hash),
  };
}
