const SAID = /the user said:\s*([\s\S]+)$/i;

/** What a person answered instead of letting a call be made; `undefined` where the result of a call holds no such words. */
export function findSaidInRefusal(text: string): string | undefined {
  const said = SAID.exec(text)?.[1]?.trim();
  // Who wants to talk about the questions first has said nothing yet; the client says so at length.
  return said === undefined || said.startsWith("The user wants to clarify") ? undefined : said;
}
