import { objectField, parseObject, textField, textListField } from "../../core/json.ts";

/**
 * How many tools a transcript names at its start: those whose schemas wait behind a search. Schemas that were sent whole stand in no
 * transcript, so it is the least that there are.
 */
export function countToolsAtStart(text: string): number {
  const names = new Set<string>();
  for (const line of text.split("\n")) {
    if (line.includes('"type":"assistant"')) break;
    if (!line.includes('"deferred_tools_delta"')) continue;
    const attachment = objectField(parseObject(line), "attachment") ?? {};
    if (textField(attachment, "type") === "deferred_tools_delta")
      for (const name of textListField(attachment, "addedNames")) names.add(name);
  }
  return names.size;
}
