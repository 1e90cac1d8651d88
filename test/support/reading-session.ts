import type { JsonObject } from "../../src/core/json.ts";
import { answer, prompt, toFile, toolResult, toolUse, transcript } from "./transcript-lines.ts";

/** A session that reads four files and then comes back to the first; every request carries two thousand tokens more. */
export function recordReadingSession(
  requests: number,
  { model = "claude-sonnet-4-5", id = `m${requests}` }: { readonly model?: string; readonly id?: string } = {},
): string {
  const lines = Array.from({ length: requests }, (_, index): readonly JsonObject[] => {
    const tokens = { cache_read_input_tokens: index * 2000, cache_creation_input_tokens: 9000 };
    const said = answer(
      `${id}.${index}`,
      [toolUse(`t${index}`, "Read", { file_path: `lib/part${index % 4}.ts` })],
      tokens,
    );
    const message = { ...(typeof said.message === "object" ? said.message : {}), model };
    return [{ ...said, message }, toolResult(`t${index}`, `const value${index}0 = ${index};\n`.repeat(200))];
  });
  return toFile(transcript(prompt("read it all"), ...lines.flat()));
}
