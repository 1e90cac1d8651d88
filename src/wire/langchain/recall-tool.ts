import type { HashedOriginals } from "../../survive/recall/hash-port.ts";
import { createRecallTool, type RecallInput } from "../recall-tool.ts";

interface LangchainFields {
  name: string;
  description: string;
  schema: { type: "object"; properties: Record<string, unknown>; required: string[] };
}

/** The two arguments of LangChain's `tool`: `tool(...createRecallTool(originals))`. */
export function createLangchainRecallTool(
  originals: HashedOriginals,
): [run: (input: RecallInput) => Promise<string>, fields: LangchainFields] {
  const { name, description, parameters, run } = createRecallTool(originals);
  return [run, { name, description, schema: parameters }];
}
