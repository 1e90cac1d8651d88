import type { Json } from "../../core/json.ts";
import type { ToolCallBlock } from "../../core/message.ts";
import { renderLine } from "../history/markers.ts";
import type { CallMeaning, CallVocabulary } from "../history/vocabulary.ts";

/** How the ledger speaks of calls. */
export interface LedgerStyle {
  readonly vocabulary: CallVocabulary;
  /** Paths below it are written without it. */
  readonly root?: string | undefined;
  /** So much of what the model said is shown; the rest is fetched. */
  readonly wordsCharacters: number;
}

export interface CallDescription {
  /** The tool and what it was called on. */
  readonly text: string;
  /** A success says nothing that the call does not. */
  readonly isDeed: boolean;
}

const MAX_COMMAND_CHARACTERS = 120;
const MAX_FIELD_CHARACTERS = 80;
const MAX_INPUT_CHARACTERS = 160;

/** A call as a person would note it: the file, the command or what was looked for; of anything else what is short. */
export function describeCall({ tool, input }: ToolCallBlock, { vocabulary, root }: LedgerStyle): CallDescription {
  const meaning = vocabulary.interpretCall(tool, input);
  const subject = nameSubject(meaning, root);
  const isDeed = meaning.kind === "edit" || meaning.kind === "write";
  if (subject !== undefined) return { text: `${tool} ${subject}`, isDeed };
  const fields = Object.entries(input).map(([name, value]) => ({ name, text: renderValue(value) }));
  const short = fields.filter(({ text }) => text.length <= MAX_FIELD_CHARACTERS && !text.includes("\n"));
  const words = short.map(({ name, text }) => `${name}: ${text}`).join(", ");
  return { text: `${tool} ${renderLine(words, MAX_INPUT_CHARACTERS)}`.trimEnd(), isDeed };
}

function nameSubject({ path, range, command, pattern }: CallMeaning, root: string | undefined): string | undefined {
  if (command) return renderLine(shortenPaths(command, root), MAX_COMMAND_CHARACTERS);
  // A path may hold line feeds, a line of the ledger may not.
  const place = path ? shortenPaths(path, root).replace(/\s*[\r\n]\s*/g, " ") : "";
  if (pattern) return `${renderLine(pattern, MAX_FIELD_CHARACTERS)}${place === "" ? "" : ` in ${place}`}`;
  if (place === "") return undefined;
  if (!range) return place;
  return `${place}:${range.first}-${range.last === Number.MAX_SAFE_INTEGER ? "" : range.last}`;
}

function shortenPaths(text: string, root: string | undefined): string {
  return root === undefined || root === "" || root === "/" ? text : text.replaceAll(`${root}/`, "");
}

function renderValue(value: Json | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
