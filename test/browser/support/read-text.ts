import type { Locator } from "playwright-core";

/** What a person reads there: the text as it is laid out, without what is not shown. */
export function readText(place: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: the text of hidden elements is not read by anyone
  return place.innerText();
}
