import type { HashedOriginals } from "../../survive/recall/hash-port.ts";
import { createRecallTool, type RecallInput } from "../recall-tool.ts";

/** Fits `tools` of `messages.create`, which sends it without its functions, and of the SDK's tool runner, which calls them. */
export interface SdkRecallTool {
  type: "custom";
  name: "recall";
  description: string;
  input_schema: { type: "object"; properties: Record<string, unknown>; required: string[] };
  run(input: unknown): Promise<string>;
  parse(content: unknown): RecallInput;
}

export function createAnthropicRecallTool(originals: HashedOriginals): SdkRecallTool {
  const { name, description, parameters, run } = createRecallTool(originals);
  const parse = (content: unknown): RecallInput => (isInput(content) ? content : { handle: "" });
  return { type: "custom", name, description, input_schema: parameters, run: (input) => run(parse(input)), parse };
}

/** Whatever a model gives is answered in words: only its shape matters here. */
function isInput(content: unknown): content is RecallInput {
  return typeof content === "object" && content !== null && "handle" in content;
}
