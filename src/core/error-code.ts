/** What the system, a database or one of our own stores calls an error, such as `ENOENT`; empty where it has no such name. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
