import { isObject, parseJson, timeField } from "../../../core/json.ts";
import type { Usage } from "../../../core/usage.ts";
import { readAppendedLines } from "../../../files/file-cursor.ts";
import { parseUsage } from "../../../wire/anthropic/parse-usage.ts";
import { type AnswerBill, createAccounts, type UsageScan } from "../../usage.ts";
import { isOutputCountFinal } from "../client-version.ts";
import { type LineContext, parseLine } from "../parse-line.ts";

/** Decodes only boundaries and what names the session, and of answers what is around their content: a twentieth of the bytes. */
export function scanUsage(path: string): UsageScan {
  const accounts = createAccounts();
  const context: LineContext = { toolOf: () => "", isRepeated: () => false };
  const lines = { read: 0, notAboutUsage: 0, malformed: 0 };
  const contents = createByteFinder(CONTENT);
  const calls = createByteFinder(CALL);
  readAppendedLines(path, {
    onRefill: () => {
      contents.forget();
      calls.forget();
    },
    onBytes: (bytes, from, to) => {
      if (to - from < 3 && bytes.toString("latin1", from, to).trim() === "") return;
      const topic = findTopic(bytes, from, to);
      lines[topic === "usage" ? "read" : "notAboutUsage"]++;
      if (topic === "other" || (topic === "prompt" && !accounts.wantsPrompt())) return;
      const line = { bytes, from, to };
      const bill = topic === "usage" ? readAnswer(line, contents) : undefined;
      if (bill) return accounts.enter(bill, countCalls(line, calls));
      const outcome = parseLine(bytes.toString("utf8", from, to), context);
      if ("entry" in outcome && (topic === "usage" || outcome.fate === "parsed")) accounts.follow(outcome.entry);
      else if (topic === "usage" && outcome.fate === "malformed") lines.malformed++;
    },
    onLine: () => undefined,
    onOverlongLine: () => {
      lines.read++;
      lines.malformed++;
    },
  });
  return { ...accounts.close(), lines };
}

const CALL = Buffer.from('{"type":"tool_use",');

/** Inside a JSON string the needle's quotes would be escaped, so a match is a block. */
function countCalls({ bytes, from, to }: LineBytes, finder: ByteFinder): number {
  let calls = 0;
  for (let at = finder.find(bytes, from); at >= 0 && at < to; at = finder.find(bytes, at + CALL.length)) calls++;
  return calls;
}

/** A line's type, or the role of the message before its content, is mostly in its first few hundred bytes. */
const HEAD_BYTES = 512;
/** The folder and the branch may come before it: a path has up to 4,096 bytes, and JSON doubles some of them. */
const LONGEST_HEAD_BYTES = 16_384;

type LineTopic = "usage" | "title" | "prompt" | "other";

/** A field whose value is no object and no list, with any blanks around it. */
const FIELD = String.raw`\s*"[^"\\]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*,`;
/** The line's type, or the role of its message, if only plain fields come before it. */
const HEAD = new RegExp(
  String.raw`^(?:\xef\xbb\xbf)?\s*\{(?:${FIELD})*?\s*"(?:type"\s*:\s*"([\w-]+)"|message"\s*:\s*\{(?:${FIELD})*?\s*"role"\s*:\s*"(\w+)"|(attachment)")`,
);
const TOOL_PROGRESS = /"type"\s*:\s*"(?:hook|bash|mcp)_progress"/;
const TOPICS: Readonly<Record<string, LineTopic>> = {
  assistant: "usage",
  // Only some of these are about usage, which is known once they are decoded.
  system: "usage",
  progress: "usage",
  user: "prompt",
  "custom-title": "title",
  "ai-title": "title",
  summary: "title",
};

/** A line that its first bytes do not decide is decoded: another writer may order and space its fields differently. */
function findTopic(bytes: Buffer, from: number, to: number): LineTopic {
  for (const length of [HEAD_BYTES, LONGEST_HEAD_BYTES]) {
    const head = bytes.toString("latin1", from, Math.min(to, from + length));
    const found = HEAD.exec(head);
    if (!found) continue;
    const topic = TOPICS[found[1] ?? found[2] ?? ""] ?? "other";
    return found[1] === "progress" && TOOL_PROGRESS.test(head) ? "other" : topic;
  }
  return "usage";
}

/** A line in its buffer: cutting it out would make a buffer object per line, which costs more than reading it. */
interface LineBytes {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

const CONTENT: Buffer = Buffer.from('"content":[');
const CONTENT_END = Buffer.from('],"stop_reason":');

/**
 * Reads the usage from an answer's line without parsing it: the client writes what is before and after the content in a fixed order, and
 * inside a JSON string the quotes of a key would be escaped. `undefined` as soon as anything is unexpected: the line has to be parsed then.
 */
export function readAnswer(
  { bytes, from, to }: LineBytes,
  contents: ByteFinder = createByteFinder(CONTENT),
): AnswerBill | undefined {
  const start = contents.find(bytes, from);
  const end = bytes.lastIndexOf(CONTENT_END, to - CONTENT_END.length);
  if (start < 0 || end < start) return undefined;
  // A second content may belong to another record: a writer that died in the middle of a line leaves two on one.
  const second = contents.find(bytes, start + CONTENT.length);
  if (second >= 0 && second < end) return undefined;
  const head = bytes.toString("latin1", from, start);
  const tail = bytes.toString("latin1", end, to);
  if (!tail.endsWith("}") || tail.includes('"isApiErrorMessage":true') || head.includes('"role":"user"'))
    return undefined;
  const stepId = pickLast(head, '"id":"');
  const model = pickLast(head, '"model":"');
  const usage = pickUsage(tail);
  const timestamp = pickFirst(tail, '"timestamp":"') || pickFirst(head, '"timestamp":"');
  if (stepId === "" || model === "" || model === "<synthetic>" || timestamp === "" || usage === undefined)
    return undefined;
  return {
    stepId,
    model,
    usage,
    atMs: timeField({ timestamp }, "timestamp"),
    uuid: pickFirst(tail, '"uuid":"') || pickFirst(head, '"uuid":"'),
    sessionId: pickFirst(head, '"sessionId":"') || pickFirst(tail, '"sessionId":"'),
    cwd: decodePicked(pickFirst(head, '"cwd":"')),
    isSidechain: head.includes('"type":"progress"') || isSidechain(head, tail),
    isOutputFinal: isOutputCountFinal(
      pickFirst(head, VERSION) || pickFirst(tail, VERSION),
      tail.startsWith(STOPPED) ? pickFirst(tail, STOPPED) : "",
    ),
  };
}

const VERSION = '"version":"';
const STOPPED = '],"stop_reason":"';

/** The flag is before the content in every version seen so far; the tail is searched only if it is not there. */
function isSidechain(head: string, tail: string): boolean {
  if (head.includes('"isSidechain":false')) return false;
  return head.includes('"isSidechain":true') || tail.includes('"isSidechain":true');
}

/** The text comes from bytes that were read as Latin-1, and contains JSON escapes. */
function decodePicked(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII is what is meant
  if (!/[\\]|[^\u0000-\u007f]/.test(text)) return text;
  const decoded = parseJson(`"${Buffer.from(text, "latin1").toString("utf8")}"`);
  return typeof decoded === "string" ? decoded : "";
}

function pickFirst(text: string, key: string): string {
  return pickAt(text, text.indexOf(key), key);
}

function pickLast(text: string, key: string): string {
  return pickAt(text, text.lastIndexOf(key), key);
}

function pickAt(text: string, at: number, key: string): string {
  if (at < 0) return "";
  const start = at + key.length;
  return text.slice(start, text.indexOf('"', start));
}

/** The usage object, cut at its own closing brace. Its strings contain no braces; if they do, parsing fails. */
function pickUsage(tail: string): Usage | undefined {
  const start = tail.indexOf('"usage":{') + 8;
  if (start < 8) return undefined;
  let depth = 0;
  for (let index = start; index < tail.length; index++) {
    const unit = tail.charCodeAt(index);
    if (unit === OPEN) depth++;
    if (unit === CLOSE && --depth === 0) return parseUsageText(tail.slice(start, index + 1));
  }
  return undefined;
}

const OPEN = 123;
const CLOSE = 125;

let lastText = "";
let lastUsage: Usage | undefined;

/** The lines of a split answer repeat the same usage one after the other, so it is parsed once. */
function parseUsageText(text: string): Usage | undefined {
  if (text === lastText) return lastUsage;
  lastText = text;
  // If it is no object, the whole line is parsed.
  const usage = parseJson(text);
  lastUsage = isObject(usage) ? parseUsage(usage) : undefined;
  return lastUsage;
}

/** Finds a needle in a chunk of bytes. For rising positions it scans the chunk once, however many lines it has. */
interface ByteFinder {
  /** The first occurrence at or after a position, or -1. */
  find(bytes: Buffer, from: number): number;
  /** To be called when a searched buffer gets other contents. */
  forget(): void;
}

export function createByteFinder(needle: Buffer): ByteFinder {
  let known: Buffer | undefined;
  let askedFrom = 0;
  let found = -1;
  return {
    find(bytes, from) {
      if (bytes === known && from >= askedFrom && (found < 0 || found >= from)) return found;
      known = bytes;
      askedFrom = from;
      found = bytes.indexOf(needle, from);
      return found;
    },
    forget() {
      known = undefined;
    },
  };
}
