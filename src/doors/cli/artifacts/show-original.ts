import { writeFileSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../../core/error-code.ts";
import { createPatternMatcher } from "../../../core/pattern/create-pattern-matcher.ts";
import { renderCount } from "../../../core/render-count.ts";
import { decodeUtf8, encodeUtf8 } from "../../../core/utf8.ts";
import { type LineSelection, type SelectedLines, selectLines } from "../../../files/select-lines.ts";
import { parsePicture } from "../../../survive/recall/picture.ts";
import { CliError, EXIT_FAILURE, type Invocation, type Terminal } from "../command.ts";
import type { Given } from "../find-original.ts";
import { parseWhole } from "../parse-whole.ts";
import { renderJson } from "../render-json.ts";
import { renderSafely } from "../style.ts";

interface Showing {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
}

/** An original as it is: into a file, into a pipe, or onto a terminal without what would steer that. */
export function showOriginal(given: Given, selection: LineSelection, showing: Showing): void {
  const { invocation, terminal } = showing;
  const isJson = invocation.flags.has("json");
  const isWhole = Object.keys(selection).length === 0;
  if (isWhole && !isJson) {
    showWhole(given, showing);
    return;
  }
  if (invocation.values.has("output"))
    throw new CliError("--output writes the whole: leave out --lines, --page, --pattern and --json");
  const text = decodeUtf8(given.bytes);
  if (text === undefined)
    throw new CliError(`${given.name} is no text: its ${given.bytes.length} bytes come with --output FILE`);
  const selected = selectLines(text, selection);
  const { lines, totalLines, pages } = selected;
  if (lines.length === 0) refuseNothing(given.name, selection, selected);
  const json = { sha256: given.sha256, totalLines, pages, lines, text: isWhole ? text : null };
  terminal.print(isJson ? renderJson(json) : lines.map((line) => renderLine(line.text)).join("\n"));
}

/** Nothing is added to it, no line feed either. */
function showWhole(given: Given, { invocation, terminal }: Showing): void {
  const text = decodeUtf8(given.bytes);
  const picture = text === undefined ? undefined : parsePicture(text);
  const bytes = picture === undefined ? given.bytes : Buffer.from(picture.data, "base64");
  const file = invocation.values.get("output");
  if (file !== undefined) writeNew(path.resolve(terminal.directory, file), bytes);
  else if (!terminal.isTerminal) terminal.write(bytes);
  else if (text !== undefined && picture === undefined)
    terminal.write(encodeUtf8(text.split("\n").map(renderLine).join("\n")));
  else {
    const what = `${picture?.mediaType ?? "no text"}, ${renderCount(bytes.length, "byte")}`;
    terminal.print(`${what}: plimsoll artifacts show ${given.name} --output FILE writes them`);
  }
}

/** What is there already is the person's. */
function writeNew(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: "wx" });
  } catch (error) {
    const why =
      errorCode(error) === "EEXIST" ? "it is there already" : error instanceof Error ? error.message : String(error);
    throw new CliError(`${file} could not be written: ${why}`, EXIT_FAILURE);
  }
}

function renderLine(line: string): string {
  return `${line.slice(0, line.search(/\S|$/)).replaceAll("\t", "  ")}${renderSafely(line)}`;
}

/** A blank line would look like an original that is blank there. */
function refuseNothing(
  name: string,
  { from = 1, page = 1 }: LineSelection,
  { totalLines, pages }: SelectedLines,
): void {
  if (from > totalLines && totalLines > 0) throw new CliError(`${name} has ${renderCount(totalLines, "line")}`);
  if (page > pages) throw new CliError(`${name} has ${renderCount(pages, "page")} to show, no page ${page}`);
}

export function parseSelection(values: Invocation["values"]): LineSelection {
  const range = values.get("lines");
  const bounds = range === undefined ? undefined : /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range);
  if (bounds === null) throw new CliError(`--lines takes two numbers, such as 10-40, not "${range}"`);
  const from = bounds ? Number(bounds[1]) : undefined;
  const to = bounds ? Number(bounds[2] ?? bounds[1]) : undefined;
  if (to !== undefined && to < Math.max(1, from ?? 1))
    throw new CliError(`--lines takes the first line and the last one, from 1, such as 10-40, not "${range}"`);
  const page = parseWhole(values, "page", 1);
  const isMatch = parsePattern(values.get("pattern"));
  return {
    ...(from === undefined ? {} : { from, to }),
    ...(page === undefined ? {} : { page }),
    ...(isMatch === undefined ? {} : { isMatch }),
  };
}

function parsePattern(given: string | undefined): ((line: string) => boolean) | undefined {
  if (given === undefined) return undefined;
  const isMatch = createPatternMatcher(given, "u");
  if (isMatch) return isMatch;
  throw new CliError(
    `--pattern takes a regular expression without references and lookaround, and "${given}" is none, or too large`,
  );
}
