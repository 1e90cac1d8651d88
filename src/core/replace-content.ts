import type { BlockContent, Edit, OpaqueRule, Refusal, RefusalReason, ReplaceBlock } from "./edit.ts";
import type { Block } from "./message.ts";

/** The block with other content, or why it cannot have it. Whether it is the right block has been asked before. */
export function replaceContent(block: Block, edit: ReplaceBlock, rule: OpaqueRule = "stays"): Block | Refusal {
  const { content } = edit;
  switch (block.kind) {
    case "thinking":
      return refuseEdit(edit, "thinkingIsBound", "a thinking block is bound to its place by its signature");
    case "opaque":
      return refuseEdit(edit, "opaqueIsUntouchable", `block type ${block.type} is not understood`);
    case "toolCall":
      if (!("input" in content)) return refuseEdit(edit, "wrongContent", "a tool call takes an input, not a text");
      if (JSON.stringify(content.input) === JSON.stringify(block.input))
        return refuseEdit(edit, "changesNothing", edit.block);
      return { ...block, input: content.input };
    case "toolResult": {
      const text = requireText(content);
      if (text === undefined) return refuseEdit(edit, "wrongContent", "a tool result takes a text");
      if (rule === "stays" && hasOpaquePart(block)) {
        return refuseEdit(edit, "opaqueIsUntouchable", "the result holds a part that is not understood");
      }
      const [first] = block.parts;
      if (block.parts.length === 1 && first?.kind === "text" && first.text === text)
        return refuseEdit(edit, "changesNothing", edit.block);
      return { ...block, parts: [{ kind: "text", text }] };
    }
    case "text": {
      const text = requireText(content);
      if (text === undefined) return refuseEdit(edit, "wrongContent", "a text block takes a text");
      if (text === block.text) return refuseEdit(edit, "changesNothing", edit.block);
      return { ...block, text };
    }
    case "image": {
      const text = requireText(content);
      if (text === undefined) return refuseEdit(edit, "wrongContent", "an image can only give way to a text");
      return { kind: "text", id: block.id, text, author: "host" };
    }
  }
}

/** A part that is not understood: what it does for the model is unknown. */
export function hasOpaquePart(block: Block): boolean {
  return block.kind === "toolResult" && block.parts.some((part) => part.kind === "opaque");
}

function requireText(content: BlockContent): string | undefined {
  return "text" in content ? content.text : undefined;
}

export function refuseEdit(edit: Edit, why: RefusalReason, detail: string): Refusal {
  return { edit, why, detail };
}
