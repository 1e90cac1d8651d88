/** Codes of the operating system that a person meets, in the words that every command has for them. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "no permission"],
  ["EPERM", "no permission"],
]);

/** Why something failed, for a person: the error's own message, behind plain words where its code has some. */
export function renderFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words = WORDS.get(errorCode(error));
  return words === undefined ? error.message : `${words}: ${error.message}`;
}

/** Whether the system refused it, which is the person's to mend and no fault of the program. */
export function isRefused(error: unknown): boolean {
  return WORDS.has(errorCode(error));
}

/** What the system, a database or one of our own stores calls an error, such as `ENOENT`; empty where it has no such name. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
