import type { Locator } from "playwright-core";

/** What a person reads there: the text as it is laid out, without what is not shown. */
export async function readText(place: Locator): Promise<string> {
  await place.waitFor({ state: "attached" });
  return (await place.allInnerTexts()).join("\n");
}
