import type { TranscriptFile } from "../hosts/host.ts";

/** A subagent stands with the session that started it; where nothing is left but subagents' files, they are what there is. */
export function passOverSubagents<Item>(
  items: readonly Item[],
  fileOf: (item: Item) => Pick<TranscriptFile, "isSubagent">,
): readonly Item[] {
  const main = items.filter((item) => !fileOf(item).isSubagent);
  return main.length > 0 ? main : items;
}
