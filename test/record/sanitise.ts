import { isRecord } from "../api/messages-body.ts";
import type { Line } from "./recording.ts";

/** Where the recording ran; every one of these is replaced. */
export interface Places {
  readonly home: string;
  readonly cwd: string;
  readonly hostName: string;
}

const NEUTRAL_HOME = "/home/dev";
const NEUTRAL_CWD = "/home/dev/demo";

/** The vendor's prompts and schemas are cut: beyond this they are recognisable by their first words. */
const MAX_VENDOR_CHARACTERS = 300;
const KEPT_CHARACTERS = 80;
const CUT_MARK = "…[cut by record]";

/** Attachments that carry what the user or a hook wrote; all others are the client's own words. */
const OWN_ATTACHMENTS: ReadonlySet<string> = new Set(["instructions", "queued_command", "edited_text_file", "file"]);

/** Replaces what is particular to the machine. Works on whole files, JSON or not. */
export function sanitiseText(content: string, places: Places): string {
  const pairs: readonly (readonly [string, string])[] = [
    [`${places.home}/tmp`, "/tmp"],
    [places.cwd, NEUTRAL_CWD],
    [places.home, NEUTRAL_HOME],
    // The client names a project's folder by its path with every other character made a dash.
    [folderNameOf(places.cwd), folderNameOf(NEUTRAL_CWD)],
    [places.hostName, "devbox"],
  ];
  const replaced = pairs.reduce((text, [from, to]) => (from === "" ? text : text.replaceAll(from, to)), content);
  return replaced.replaceAll(/Linux \d+\.\d+\.\d+[\w.-]*/g, "Linux 6.1.0");
}

/** Shortens the vendor's long texts in one line; what user, model and tools said stays whole. */
export function shortenVendorText(line: Line): Line {
  if (line.type === "api-request-shape") return cutRecord(line);
  if (line.type === "api-request-blob" && isRecord(line.message)) return { ...line, message: cutMessage(line.message) };
  if (line.type === "attachment" && isRecord(line.attachment) && isVendorAttachment(line.attachment))
    return cutRecord(line);
  return line;
}

function isVendorAttachment(attachment: Line): boolean {
  const type = String(attachment.type);
  return !OWN_ATTACHMENTS.has(type) && !type.includes("hook");
}

/** A recorded request holds all voices: only the client's reminders and its compaction prompt are the vendor's. */
function cutMessage(message: Line): Line {
  if (message.role === "system") return cutRecord(message);
  return { ...message, content: cutVendorParts(message.content) };
}

/** The same of what holds such messages anywhere. */
export function cutVendorParts(value: unknown): unknown {
  if (typeof value === "string")
    return isCompactionPrompt(value) ? cut(value) : value.replaceAll(REMINDER, cutReminder);
  if (Array.isArray(value)) return value.map(cutVendorParts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cutVendorParts(field)]));
}

/** Older models get reminders inside the text of a tool result, which itself must stay whole. */
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;

/** One of them passes on what the user has typed meanwhile. */
const QUOTES_USER = "<system-reminder>\nThe user sent a new message";

function cutReminder(reminder: string): string {
  if (reminder.length <= MAX_VENDOR_CHARACTERS || reminder.startsWith(QUOTES_USER)) return reminder;
  return `${cut(reminder)}</system-reminder>`;
}

function isCompactionPrompt(text: string): boolean {
  return text.trimStart().startsWith("CRITICAL: Respond with TEXT ONLY");
}

function cutRecord(record: Line): Line {
  const entries = Object.entries(record).map(([key, value]) => [
    key,
    key === "input_schema" && isRecord(value) ? cutSchema(value) : cut(value),
  ]);
  return Object.fromEntries(entries);
}

function cut(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length > MAX_VENDOR_CHARACTERS ? value.slice(0, KEPT_CHARACTERS) + CUT_MARK : value;
  }
  if (Array.isArray(value)) return value.map(cut);
  return isRecord(value) ? cutRecord(value) : value;
}

/** Every session holds the schemas of all tools several times over; names and types of the parameters are enough. */
function cutSchema(schema: Line): Line {
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const short = properties.map(([name, value]) => [
    name,
    isRecord(value) && "type" in value ? { type: value.type } : {},
  ]);
  return { ...schema, properties: Object.fromEntries(short) };
}

function folderNameOf(path: string): string {
  return path.replaceAll(/[^a-zA-Z0-9]/g, "-");
}
