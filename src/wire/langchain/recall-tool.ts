import type { HashedOriginals } from "../../survive/recall/hash-port.ts";
import { createRecallTool as createTool, type RecallInput } from "../recall-tool.ts";

interface LangchainFields {
  name: string;
  description: string;
  schema: { type: "object"; properties: Record<string, unknown>; required: string[] };
}

/** The two arguments of LangChain's `tool`: `tool(...createRecallTool(originals))`. */
export function createRecallTool(
  originals: HashedOriginals,
): [run: (input: RecallInput) => Promise<string>, fields: LangchainFields] {
  const { name, description, parameters, run } = createTool(originals);
  return [run, { name, description, schema: parameters }];
}
