import { clipLine, clipText, toOneLine } from "../../core/clip-text.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { renderLine } from "../history/markers.ts";

const MAX_LINES = 2000;
/** Up to this many new lines are compared with the lines they replaced; with more, the new ones say enough. */
const MAX_COMPARED = 3;

/** Lines that say nothing by themselves. */
const EMPTY =
  /^(?:import\b|from\b|use\b|using\b|package\b|#include|\/\/|\/\*|\*|<!--|#!|---|```|"""|(?:if|else|for|while|try|return|switch|do)?[\W_]*$)/;

interface Change {
  readonly before: string;
  readonly after: string;
}

/** A call's change in one line: the new lines, compared with the old ones if they are few; the names first for a large file, the deleted lines if nothing is new. */
export function describeChange(input: JsonObject, path: string, room: number): string {
  const described = listChanges(input, path).map((change) => describe(change, path, room));
  return renderLine(described.filter((text) => text !== "").join("; "), room);
}

function describe({ before, after }: Change, path: string, room: number): string {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const [added, removed] = [listOthers(fresh, old), listOthers(old, fresh)];
  const [line, gone] = [added[0], removed[0]];
  if (line !== undefined && gone !== undefined && added.length + removed.length === 2) return renderShift(gone, line);
  const informative = added.filter((text) => !EMPTY.test(text));
  if (informative.length === 0) {
    const taken = removed.filter((text) => !EMPTY.test(text));
    return taken.length === 0 ? added.filter((text) => /\w{3}/.test(text)).join(" ") : `without ${taken.join(" ")}`;
  }
  const isFew = informative.length <= MAX_COMPARED;
  const whole = joinLines(fresh, informative, (text) => {
    const counterpart = isFew ? findCounterpart(text, removed) : undefined;
    return counterpart === undefined ? text : renderShift(counterpart, text);
  });
  const names = before === "" && whole.length > room ? listNames(after, path) : "";
  return names === "" ? whole : `${names}: ${whole}`;
}

/** Joins lines in order and marks gaps, or one line would be read as the body of the other. */
function joinLines(fresh: readonly string[], known: readonly string[], render: (line: string) => string): string {
  const wanted = new Set(known);
  let [text, hasGap] = ["", false];
  for (const line of fresh) {
    if (!wanted.delete(line)) hasGap ||= line !== "";
    else {
      text += `${text === "" ? "" : hasGap ? " … " : " "}${render(line)}`;
      hasGap = false;
    }
  }
  return text;
}

function splitLines(text: string): readonly string[] {
  return text.split("\n", MAX_LINES).map((line) => line.trim());
}

function listOthers(lines: readonly string[], than: readonly string[]): readonly string[] {
  const known = new Set(than);
  return [...new Set(lines)].filter((line) => line !== "" && !known.has(line));
}

/** Works with any tool's field names: the new text is in new, content or text, the replaced text in old; or all of it is a patch. */
function listChanges(input: JsonObject, path: string): readonly Change[] {
  const several = Object.values(input).flatMap((value) => (Array.isArray(value) ? value.filter(isObject) : []));
  return (several.length === 0 ? [input] : several).map((one) => findTexts(one, path));
}

const PATCH = /^(?:\*\*\* (?:Begin Patch|Update File:|Add File:)|@@ )/m;

function findTexts(input: JsonObject, path: string): Change {
  const fields = Object.entries(input).flatMap(([name, value]) =>
    typeof value === "string" && value !== path ? [[name, value] as const] : [],
  );
  const patch = fields.find(([name, text]) => /patch|input|diff/i.test(name) && PATCH.test(text))?.[1];
  if (patch !== undefined) return { before: pickSide(patch, "-"), after: pickSide(patch, "+") };
  const find = (name: RegExp): string | undefined => fields.find(([field]) => name.test(field))?.[1];
  return { before: find(/^old/i) ?? "", after: find(/^(?:new|content|text|source|file_text)/i) ?? "" };
}

/** The lines of one side of a patch, without its file names. */
function pickSide(patch: string, sign: "-" | "+"): string {
  const lines = patch.split("\n").filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)));
  return lines.map((line) => line.slice(1)).join("\n");
}

const MAX_SIDE_CHARACTERS = 44;
/** Text after the change is shown if there is room left. */
const MAX_CHARACTERS = 80;
const LEAST_TAIL_CHARACTERS = 8;
/** The text before the change shows where it is. */
const MAX_LEAD_CHARACTERS = 40;
const LEAD_START_CHARACTERS = 14;
/** Lines that share less than this are not the same line before and after. */
const LEAST_SHARED = 0.5;
/** More lines are not compared with each other; changes made by hand are shorter. */
const MAX_COMPARED_LINES = 40;
const MAX_LINE_CHARACTERS = 400;

/** The removed line that this line replaces; `undefined` if none is similar. */
function findCounterpart(line: string, gone: readonly string[]): string | undefined {
  let best: { readonly old: string; readonly shared: number } | undefined;
  for (const old of gone.slice(0, MAX_COMPARED_LINES)) {
    if (Math.max(old.length, line.length) > MAX_LINE_CHARACTERS) continue;
    const { head, tail } = split(old, line);
    const shared = (head.length + tail.length) / Math.max(old.length, line.length);
    if (shared >= LEAST_SHARED && shared > (best?.shared ?? 0)) best = { old, shared };
  }
  return best?.old;
}

/** `const retries = 3 -> 5`: the changed words after the text before them; `a, + b` if nothing was removed. */
function renderShift(old: string, line: string): string {
  const [before = "", after = ""] = [old, line].map((text) => toOneLine(text.slice(0, MAX_LINE_CHARACTERS)));
  const { head, tail } = split(before, after);
  const [from = "", to = ""] = [before, after].map((text) =>
    clipLine(text.slice(head.length, text.length - tail.length), MAX_SIDE_CHARACTERS),
  );
  // A word added before an unchanged line says nothing without that line.
  if (head === "" && (from === "" || to === "")) return clipLine(after, MAX_CHARACTERS);
  const lead = shortenLead(head);
  const apart = lead === "" || lead.endsWith(" ") ? lead : `${lead} `;
  if (from === "" || to === "") return `${apart}${from === "" ? `+ ${to}` : `without ${from}`}`;
  const shown = `${lead}${from} -> ${to}`;
  return shown.length >= MAX_CHARACTERS - LEAST_TAIL_CHARACTERS ? shown : clipLine(`${shown}${tail}`, MAX_CHARACTERS);
}

function shortenLead(head: string): string {
  if (head.length <= MAX_LEAD_CHARACTERS) return head;
  const end = head.slice(-(MAX_LEAD_CHARACTERS - LEAD_START_CHARACTERS - 1)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${clipLine(head, LEAD_START_CHARACTERS)}${end}`;
}

/** The common beginning and end of two lines, in whole words and signs. */
function split(old: string, line: string): { readonly head: string; readonly tail: string } {
  const [before, after] = [listWords(old), listWords(line)];
  const least = Math.min(before.length, after.length);
  let first = 0;
  while (first < least && before[first] === after[first]) first++;
  let last = 0;
  while (last < least - first && before[before.length - 1 - last] === after[after.length - 1 - last]) last++;
  return { head: before.slice(0, first).join(""), tail: before.slice(before.length - last).join("") };
}

function listWords(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_$.#-]+|\s+|[^\p{L}\p{N}_$.#\s-]/gu) ?? [];
}

const MAX_NAMES = 8;
const MAX_NAMES_CHARACTERS = 160;
const MAX_NAME_CHARACTERS = 40;
/** A file with fewer names is described by its first line. */
const LEAST_NAMES = 2;
const SEARCHED_CHARACTERS = 60_000;

const DECLARED =
  /^(?:(?:export|default|pub(?:\(\w+\))?|public|private|protected|static|abstract|override|async|final|declare) +)*(?:function\*?|class|interface|enum|struct|trait|def|fn|func(?: \([^)\n]{1,60}\))?|module|namespace|type|record) +([\w$]{1,80})/gm;
const EXPORTED = /^export (?:const|let|var) ([\w$]{1,80})/gm;
const SHELL_FUNCTION = /^([\w-]{1,60}) ?\(\) ?\{/gm;
const HEADING = /^(#{1,3} \S.{0,80})$/gm;
/** Only the outermost keys: unindented, or members of a single object. */
const KEY = /^(?: {2}|\t)?"([^"\n]{1,60})" ?:|^([\w.-]{1,60}):(?= |$)|^\[{1,2}([\w."-]{1,60})\]/gm;

const PROSE = /\.(?:md|mdx|markdown|rst|txt)$/i;
const SETTINGS = /\.(?:json|jsonc|ya?ml|toml|ini)$/i;

/** What a file declares: its functions and types, headings or keys. Empty if there is next to nothing. */
export function listNames(content: string, path: string): string {
  const text = content.slice(0, SEARCHED_CHARACTERS);
  const patterns = PROSE.test(path) ? [HEADING] : SETTINGS.test(path) ? [KEY] : [DECLARED, EXPORTED, SHELL_FUNCTION];
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
  const inOrder = found.sort((one, other) => one.index - other.index);
  const names = [...new Set(inOrder.map(([, ...groups]) => groups.find((group) => group !== undefined) ?? ""))];
  if (names.length < LEAST_NAMES) return "";
  const shown = names.slice(0, MAX_NAMES).map((name) => clipText(name.trim(), MAX_NAME_CHARACTERS));
  while (shown.length > LEAST_NAMES && shown.join(", ").length > MAX_NAMES_CHARACTERS) shown.pop();
  return `${shown.join(", ")}${shown.length < names.length ? `, … (${names.length})` : ""}`;
}
