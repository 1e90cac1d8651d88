import { isObject, textField } from "../../core/json-fields.ts";

/** Where the client put an output that was too large even for itself; it shows the first 2 KB, whatever they are. */
export function findPersisted(shown: string): string | undefined {
  if (!shown.startsWith("<persisted-output>")) return undefined;
  return /Full output saved to: (\S[^\n]*)/.exec(shown)?.[1]?.trim();
}

/**
 * What a tool said, out of the file that the client put it in: a `.txt` holds the words themselves, a `.json` the blocks
 * of an answer as MCP tools give it. `undefined` where not all of them are text.
 */
export function parsePersisted(path: string, file: string): string | undefined {
  return path.endsWith(".json") ? joinTexts(parseList(file)) : file;
}

/** The blocks of an answer as one text; `undefined` where there is something else among them. */
export function joinTexts(blocks: readonly unknown[]): string | undefined {
  const texts = blocks.map((block) =>
    isObject(block) && block.type === "text" ? textField(block, "text") : undefined,
  );
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    // Cut off while it was written: the client's own preview stays.
    return [];
  }
}
