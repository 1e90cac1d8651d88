import { readAppendedLines } from "../../../files/file-cursor.ts";
import { createAccounts, type UsageScan } from "../../usage.ts";
import { type LineContext, parseLine } from "../parse-line.ts";
import { type ByteFinder, createByteFinder } from "./byte-finder.ts";
import { CONTENT, type LineBytes, readAnswer } from "./read-answer.ts";

/**
 * The accounts of a transcript without its contents: only answers, boundaries and what names the session are looked at, and of
 * answers only what stands around their content, which is a twentieth of the bytes.
 */
export function scanUsage(path: string): UsageScan {
  const accounts = createAccounts();
  const context: LineContext = { identify: () => "", toolOf: () => "", isRepeated: () => false };
  const lines = { read: 0, notAboutUsage: 0, malformed: 0 };
  const contents = createByteFinder(CONTENT);
  const calls = createByteFinder(CALL);
  readAppendedLines(path, {
    onRefill: () => {
      contents.forget();
      calls.forget();
    },
    onBytes: (bytes, from, to) => {
      if (isBlank(bytes, from, to)) return;
      if (!isAboutUsage(bytes, from, to)) {
        lines.notAboutUsage++;
        if (!isAboutTitle(bytes, from, to, accounts.wantsPrompt())) return;
        const named = parseLine(bytes.toString("utf8", from, to), context);
        if (named.fate === "parsed") accounts.follow(named.entry);
        return;
      }
      lines.read++;
      const line = { bytes, from, to };
      const bill = readAnswer(line, contents);
      if (bill) return accounts.enter(bill, countCalls(line, calls));
      const outcome = parseLine(bytes.toString("utf8", from, to), context);
      if (outcome.fate === "malformed") lines.malformed++;
      else if (outcome.fate !== "repeated") accounts.follow(outcome.entry);
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

/** Inside a JSON string the needle's quotes would be escaped, so what is found is a block. */
function countCalls({ bytes, from, to }: LineBytes, finder: ByteFinder): number {
  let calls = 0;
  for (let at = finder.find(bytes, from); at >= 0 && at < to; at = finder.find(bytes, at + CALL.length)) calls++;
  return calls;
}

/** A line's type, or the role of the message before its content, mostly stands in its first few hundred bytes. */
const HEAD_BYTES = 512;
/** Before it may stand the folder and the branch: a path has up to 4,096 bytes, and JSON doubles some of them. */
const LONGEST_HEAD_BYTES = 16_384;

/** Told by its bytes: inside a JSON string the quotes of these needles would be escaped. */
function isAboutUsage(bytes: Buffer, from: number, to: number): boolean {
  const head = bytes.toString("latin1", from, Math.min(to, from + HEAD_BYTES));
  const verdict = looksAboutUsage(head);
  if (verdict !== undefined || head.length < HEAD_BYTES) return verdict ?? false;
  return looksAboutUsage(bytes.toString("latin1", from, Math.min(to, from + LONGEST_HEAD_BYTES))) ?? false;
}

/** Lines that begin with their type are the client's own notes. */
const NOTE = /^\{"type":"(?!assistant|system|progress)/;
const SIGN = /"(?:type|role)":"(?:(assistant)|user|(?:hook|bash|mcp)_progress)"|("subtype":"compact_boundary")/;

/** The first sign decides: it stands before the content, in which anything may be said. */
function looksAboutUsage(head: string): boolean | undefined {
  if (NOTE.test(head)) return false;
  const sign = SIGN.exec(head);
  return sign ? sign[1] !== undefined || sign[2] !== undefined : undefined;
}

const TITLE = /"type":"(?:custom-title|ai-title|summary)"/;
const PROMPT = /"(?:type|role)":"user"/;

function isAboutTitle(bytes: Buffer, from: number, to: number, wantsPrompt: boolean): boolean {
  const head = bytes.toString("latin1", from, Math.min(to, from + (wantsPrompt ? LONGEST_HEAD_BYTES : HEAD_BYTES)));
  return TITLE.test(head) || (wantsPrompt && PROMPT.test(head));
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  return to - from < 3 && bytes.toString("latin1", from, to).trim() === "";
}
