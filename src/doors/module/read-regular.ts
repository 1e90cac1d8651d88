import { isObject, textField } from "../../core/json.ts";
import { encodeUtf8 } from "../../core/utf8.ts";
import type { Engine } from "./engine.ts";

/** The text of a regular file; rejects where there is none. A pipe in its place, which a project can bring, would be waited for without end. */
export async function readRegular($: Engine, path: string): Promise<string> {
  const { kind } = await $.fs.stat(path);
  if (kind !== "file") throw new Error(`${path} is not a regular file`);
  return $.fs.read(path);
}

/** What the engine reads of a file, and what a program that it runs may print. */
const MAX_ENGINE_BYTES = 4 * 1024 * 1024;
/** Sixteen megabytes take a second to read and to fold. */
export const MAX_LONG_BYTES: number = 4 * MAX_ENGINE_BYTES;

/** The text of a file that may be longer than the engine reads: in pieces of whole lines then. Rejects where it cannot be had whole. */
export async function readLong($: Engine, path: string): Promise<string> {
  const { kind, size } = await $.fs.stat(path);
  if (kind === "file" && size <= MAX_ENGINE_BYTES) return $.fs.read(path);
  if (kind !== "file" || size > MAX_LONG_BYTES) throw new Error(`${path} is too large`);
  const lines = Number.parseInt(await run($, ["wc", "-l", path]), 10) + 1;
  // Twice as many pieces as an even length of lines would need.
  const step = Math.max(1, Math.floor(lines / Math.ceil((size / MAX_ENGINE_BYTES) * 2)));
  const pieces: string[] = [];
  for (let first = 1; first <= lines; first += step)
    pieces.push(await run($, ["sed", "-n", `${first},${first + step - 1}p`, path]));
  const text = pieces.join("");
  // Where a byte is no character, or a line was cut, this is not what the client has put away.
  if (encodeUtf8(text).length !== size) throw new Error(`${path} cannot be read in pieces`);
  return text;
}

async function run($: Engine, argv: readonly string[]): Promise<string> {
  const result = await $.process.run(argv);
  if (!isObject(result) || result.isStdoutTruncated === true) throw new Error(`${argv[0]} printed too much`);
  return textField(result, "stdout");
}

/**
 * Whether there is no file, or an empty one, as a full disk leaves behind: then what we keep could be committed. Not by
 * `exists`, which follows a link: one that leads nowhere would be written through.
 */
export async function lacksIgnoreRule($: Engine, path: string): Promise<boolean> {
  const stat = await $.fs.stat(path).catch(() => undefined);
  return stat === undefined || (!stat.isLink && stat.kind === "file" && stat.size === 0);
}
