// A layer of your own. It looks at the conversation and proposes edits, as data; it changes nothing itself. The pipeline
// applies them, refuses what would part a call from its result, and remembers them in the ledger.
import { compact, type Edit, type Layer, nameOriginal, renderOriginal, replaceBlock } from "plimsoll";
import { createLongSession } from "./support/long-session.ts";
import { sendMessages } from "./support/send-messages.ts";

/** Lines that say "ok" are not what anybody runs tests for. */
const dropPassedTests: Layer = {
  name: "dropPassedTests",
  // Before the five, whose costs are 1 to 5.
  cost: 0.5,
  // Asked on every request. A layer that is not eager is asked only above the line.
  eager: true,
  plan: ({ messages }) =>
    messages.flatMap(({ blocks }) =>
      blocks.flatMap((block): Edit[] => {
        const text = block.kind === "toolResult" && !block.isError ? renderOriginal(block) : undefined;
        if (text === undefined) return [];
        const kept = text.split("\n").filter((line) => !line.startsWith("ok "));
        const dropped = text.split("\n").length - kept.length;
        // Planning again on its own result must propose nothing: what is left holds too few such lines.
        if (dropped < 10) return [];
        const handle = nameOriginal(text);
        return [
          // Bound to this very block: where another run says something else under the same id, it is not carried out.
          replaceBlock(block, {
            content: { text: [...kept, `(${dropped} tests passed; all of it under ${handle})`].join("\n") },
            by: "dropPassedTests",
            reason: `${dropped} passed tests`,
            handles: [handle],
          }),
        ];
      }),
    ),
};

const { messages, report, originals } = await compact(createLongSession(), {
  targetTokens: 100_000,
  ownLayers: [dropPassedTests],
});
await sendMessages(messages);

const [own] = report.layers;
console.log(`${own?.layer}: ${own?.applied} edits, ${originals.length} originals`);
