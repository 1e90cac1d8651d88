// A model's summary, as the last resort: it is asked only when folding, clearing and collapsing were not enough, once, and
// its answer holds both what goes on (the summary) and what lasts (the memories), or it is not taken.
import Anthropic from "@anthropic-ai/sdk";
import { compact } from "plimsoll";
import { createSummariser } from "plimsoll/anthropic-sdk";
import { saveMemories } from "plimsoll/files";
import { createLongSession } from "./support/long-session.ts";

const client = new Anthropic();
const model = "claude-sonnet-4-6";
const folder = process.env.EXAMPLE_FOLDER ?? ".";

const { messages, report, memories } = await compact(createLongSession(), {
  // So low that nothing but a summary gets there.
  targetTokens: 1_500,
  model,
  summarise: createSummariser(client, { model }),
  // Called before the summary takes effect. Where it fails, the history stays as it is.
  remember: (found) => void saveMemories(folder, found, Date.now()),
});

for (const { layer, applied, failure } of report.layers) console.log(`${layer}: ${failure ?? `${applied} edits`}`);
console.log(`${memories.length} memories, ${Math.round(report.tokensAfter)} tokens left`);

const answer = await client.messages.create({ model, max_tokens: 1024, messages });
for (const block of answer.content) if (block.type === "text") console.log(block.text);
