import type { Engine } from "./engine.ts";

/** The text of a regular file; rejects where there is none. A pipe in its place, which a project can bring, would be waited for without end. */
export async function readRegular($: Engine, path: string): Promise<string> {
  const { kind } = await $.fs.stat(path);
  if (kind !== "file") throw new Error(`${path} is not a regular file`);
  return $.fs.read(path);
}
