import type { Block, Message } from "../core/message.ts";
import type { CompactOptions } from "./compaction-options.ts";
import type { Format, ParsedBlock } from "./conversation.ts";
import { isJsonObject } from "./is-json.ts";

type Keeping = Pick<CompactOptions, "keep" | "excludeTools">;

export function hasKept({ keep, excludeTools = [] }: Keeping): boolean {
  return keep !== undefined || excludeTools.length > 0;
}

/**
 * What the caller keeps is read as what nobody understands: no layer touches it, what stands around it is collapsed without it, and it
 * leaves as it came. A call whose result is kept stays with it, and the other way round.
 */
export function keepBlocks(format: Format, messages: readonly Message[], options: Keeping): Format {
  const isKept = createTest(options);
  const calls = new Set(
    messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => ("callId" in block && isKept(block) ? [block.callId] : [])),
    ),
  );
  const seal = ({ block, raw }: ParsedBlock): ParsedBlock => {
    const stays = "callId" in block ? calls.has(block.callId) : block.kind !== "opaque" && isKept(block);
    if (!stays) return { block, raw };
    return { block: { kind: "opaque", id: block.id, type: block.kind, raw: isJsonObject(raw) ? raw : {} }, raw };
  };
  return {
    ...format,
    parseMessage(raw, identify) {
      const parsed = format.parseMessage(raw, identify);
      return { ...parsed, blocks: parsed.blocks.map(seal) };
    },
  };
}

function createTest({ keep, excludeTools = [] }: Keeping): (block: Block) => boolean {
  return (block) => keep?.(block) === true || (block.kind === "toolCall" && excludeTools.includes(block.tool));
}
