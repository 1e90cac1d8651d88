/** Plain words for the operating system's error codes that people meet. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "no permission"],
  ["EPERM", "no permission"],
]);

/** Why something failed, for a person: the error's own message, after plain words if its code has some. */
export function renderFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words = WORDS.get(errorCode(error));
  return words === undefined ? error.message : `${words}: ${error.message}`;
}

/** Whether the operating system refused it, or one of our stores did because of a link: the person has to fix it. */
export function isRefused(error: unknown): boolean {
  return WORDS.has(errorCode(error)) || errorCode(error) === "link";
}

/** The error code of the system, a database or one of our own stores, such as `ENOENT`; empty if there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
