import { isObject, textField } from "../../core/json.ts";
import { encodeUtf8 } from "../../core/utf8.ts";
import type { ClientPort } from "./client-port.ts";
import { runTool } from "./run-tool.ts";

/** The text of a regular file; rejects if there is none. A project can contain a pipe in its place, and reading it would never end. */
export async function readRegular($: ClientPort, path: string): Promise<string> {
  const { kind } = await $.fs.stat(path);
  if (kind !== "file") throw new Error(`${path} is not a regular file`);
  return $.fs.read(path);
}

/** The most that the engine reads of a file, and that a program it runs may print. */
const MAX_ENGINE_BYTES = 4 * 1024 * 1024;
/** Reading and folding 16 MB takes a second. */
export const MAX_LONG_BYTES: number = 4 * MAX_ENGINE_BYTES;

/** The text of a file that may be longer than the engine reads, in pieces of whole lines. Rejects if it cannot be read whole. */
export async function readLong($: ClientPort, path: string): Promise<string> {
  const { kind, size } = await $.fs.stat(path);
  if (kind === "file" && size <= MAX_ENGINE_BYTES) return $.fs.read(path);
  if (kind !== "file" || size > MAX_LONG_BYTES) throw new Error(`${path} is too large`);
  const lines = Number.parseInt(await print($, "wc", ["-l", path]), 10) + 1;
  // Twice as many pieces as lines of equal length would need.
  const step = Math.max(1, Math.floor(lines / Math.ceil((size / MAX_ENGINE_BYTES) * 2)));
  const pieces: string[] = [];
  for (let first = 1; first <= lines; first += step)
    pieces.push(await print($, "sed", ["-n", `${first},${first + step - 1}p`, path]));
  const text = pieces.join("");
  // With an invalid byte or a cut line, this is not what the client has written.
  if (encodeUtf8(text).length !== size) throw new Error(`${path} cannot be read in pieces`);
  return text;
}

async function print($: ClientPort, tool: "sed" | "wc", words: readonly string[]): Promise<string> {
  const result = await runTool($, tool, words);
  if (!isObject(result) || result.isStdoutTruncated === true) throw new Error(`${tool} printed too much`);
  return textField(result, "stdout");
}

/** Whether the file is missing or empty, as a full disk leaves it: what we store could then be committed. `exists` would follow a dangling link. */
export async function lacksIgnoreRule($: ClientPort, path: string): Promise<boolean> {
  const stat = await $.fs.stat(path).catch(() => undefined);
  return stat === undefined || (!stat.isLink && stat.kind === "file" && stat.size === 0);
}
