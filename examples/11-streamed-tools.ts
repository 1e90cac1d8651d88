// Tools start while the answer still streams in; the next turn has each result as soon as it exists.
import { readFile } from "node:fs/promises";
import Anthropic from "@anthropic-ai/sdk";
import { createToolExecutor } from "plimsoll/stream";

const model = "claude-sonnet-4-6";
const client = new Anthropic();
const tools: Anthropic.Tool[] = [{ name: "read_file", input_schema: { type: "object", required: ["path"] } }];
const messages: Anthropic.MessageParam[] = [{ role: "user", content: process.argv[2] ?? "What is in these files?" }];

for (;;) {
  const executor = createToolExecutor({
    run: (call: Anthropic.ToolUseBlock) => readFile(Object(call.input).path, "utf8"),
  });
  const stream = client.messages.stream({ model, max_tokens: 2048, tools, messages });
  // A block is complete long before the answer is.
  stream.on("contentBlock", (block) => {
    if (block.type === "tool_use") void executor.add(block);
    if (block.type === "text") console.log(block.text);
  });
  const results: Anthropic.ToolResultBlockParam[] = [];
  const collecting = (async () => {
    for await (const outcome of executor.outcomes()) {
      const isDone = outcome.status === "done";
      console.log(`${outcome.status}: ${Object(outcome.call.input).path}`);
      const content = isDone ? outcome.result : `not read: ${outcome.status}`;
      results.push({ type: "tool_result", tool_use_id: outcome.call.id, content, is_error: !isDone });
    }
  })();
  const answer = await stream.finalMessage();
  console.log("the answer is complete");
  await executor.finish();
  await collecting;
  messages.push({ role: "assistant", content: answer.content });
  if (results.length === 0) break;
  messages.push({ role: "user", content: results });
}
