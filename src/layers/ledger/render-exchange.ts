import { clipText } from "../../core/clip-text.ts";
import { type Block, type Message, renderInput, type ToolCallBlock, type ToolResultBlock } from "../../core/message.ts";
import { sha256 } from "../../core/sha256.ts";
import { foldCodeBlocks } from "../../fold/fold-code-block.ts";
import { MEMBER_BUDGET } from "../../fold/thresholds.ts";
import { renderLine } from "../history/markers.ts";
import { renderOriginal } from "../history/originals.ts";
import { type CallDescription, describeCall, findLongest, isTask, type LedgerStyle, TASK } from "./describe-call.ts";
import { renderCall, renderSaid, renderShortened } from "./ledger-text.ts";
import type { Line, LineText, Piece } from "./piece.ts";
import { cutMiddle, dropNarration, MAX_PROMPT_CHARACTERS, renderEnds, renderResult } from "./render-result.ts";

/** How much room the model's words have, and whether they are an answer to the person. */
interface Words {
  readonly room: number;
  readonly isAnswer: boolean;
}

const MAX_SHOWN_CHARACTERS = 40;
const LEAST_REPEATED_CHARACTERS = 120;
/** For a plan that was replaced or rejected. */
const MAX_REPLACED_CHARACTERS = 800;

/** A line depends on its exchange alone, so it never changes once written; the original behind it does not depend on the style. */
export function renderExchange(messages: readonly Message[], style: LedgerStyle): readonly Piece[] {
  const results = new Map<string, ToolResultBlock>();
  const blocks = messages.flatMap((message) => message.blocks);
  for (const block of blocks)
    if (block.kind === "toolResult" && !results.has(block.callId)) results.set(block.callId, block);
  const shown = new Set<ToolResultBlock>();
  const renderAnswered = (call: ToolCallBlock): Piece => {
    const result = results.get(call.callId);
    if (!result || shown.has(result)) return renderPair({ call, style });
    shown.add(result);
    return renderPair({ call, result, style });
  };
  // A message without calls ends the turn: it is an answer to the person.
  const { wordsCharacters, answerCharacters } = style;
  const isAnswer = blocks.every(({ kind }) => kind !== "toolCall");
  const words = { isAnswer, room: isAnswer ? answerCharacters : wordsCharacters };
  return messages.flatMap((message): readonly Piece[] => {
    if (message.role === "system") return [{ kind: "message", message }];
    return message.blocks.flatMap((block): readonly Piece[] => {
      if (block.kind === "toolCall") return [renderAnswered(block)];
      if (block.kind === "toolResult") return shown.has(block) ? [] : [renderPair({ result: block, style })];
      return renderOther(block, style, words);
    });
  });
}

function renderOther(block: Block, style: LedgerStyle, words: Words): readonly Piece[] {
  if (block.kind === "image") return [{ kind: "block", block }];
  if (block.kind !== "text") return [];
  const { text, author } = block;
  if (author === "model")
    return [wordOnce(style, { "": text }, ["words", words.room, words.isAnswer], () => renderWords(text, words))];
  if (author === "host") return [wordOnce(style, { "": text }, ["note"], () => renderNote(text, style))];
  if (text.length <= MAX_PROMPT_CHARACTERS) return [{ kind: "block", block }];
  // Text too long to have been typed gets a number, so that it can be shortened once it is old.
  const shown = cutMiddle(text);
  const said = shown === text ? text : renderShortened(shown, text.length);
  return [{ kind: "line", text: renderSaid("person", said), sections: [{ part: "", text }] }];
}

interface Pair {
  readonly call?: ToolCallBlock;
  readonly result?: ToolResultBlock;
  readonly style: LedgerStyle;
}

/** Enough to tell the lines of one session apart. */
const DIGITS = 16;

type LineTexts = Readonly<Partial<Record<LineText["part"], string>>>;

/** Wording takes most of the time of a collapse, and whoever follows a conversation has worded every closed exchange before. */
function wordOnce(style: LedgerStyle, texts: LineTexts, from: readonly unknown[], word: () => Line): Line {
  const { known, root, isBrief, briefCharacters, planCharacters } = style;
  if (known === undefined) return word();
  const whole = [root, isBrief, briefCharacters, planCharacters, ...from, texts.i, texts[""]].join("\0");
  const hash = sha256(whole).slice(0, DIGITS);
  const found = known.get(hash);
  if (found !== undefined) {
    const { parts, ...line } = found;
    return { ...line, sections: parts.map((part) => ({ part, text: texts[part] ?? "" })) };
  }
  const line = word();
  const { sections, ...rest } = line;
  known.set(hash, { ...rest, parts: sections.map(({ part }) => part) });
  return line;
}

function renderPair(pair: Pair): Line {
  const { call, result } = pair;
  const texts = {
    ...(call && { i: renderInput(call) }),
    ...(result && { "": renderOriginal(result) ?? "" }),
  };
  const from = ["pair", call?.tool, result?.isError, result?.parts.map(({ kind }) => kind).join()];
  return wordOnce(pair.style, texts, from, () => renderCallLine(pair, texts));
}

function renderCallLine(pair: Pair, texts: LineTexts): Line {
  const { call, style } = pair;
  const described = call && describeCall(call, style);
  const { reports = "look", name } = described ?? {};
  const sections = (["i", ""] as const).flatMap((part) => {
    const text = texts[part];
    return text === undefined ? [] : [{ part, text }];
  });
  const about = { kind: "line", label: call?.tool ?? "", sections } as const;
  const { text, failure } = wordPair(pair, described);
  if (failure !== undefined) return { ...about, text, failure };
  if (name === undefined) return { ...about, text };
  // A newer to-do list or lookup makes the earlier one useless; of an earlier plan its beginning is still useful.
  const brief = { ...pair, style: shortenPlan(style) };
  return {
    ...about,
    text,
    replaced: { name, text: reports === "look" || reports === "read" ? "" : wordPair(brief).text },
  };
}

function shortenPlan(style: LedgerStyle): LedgerStyle {
  return { ...style, planCharacters: Math.min(style.planCharacters, MAX_REPLACED_CHARACTERS) };
}

function wordPair(
  { call, result, style }: Pair,
  known?: CallDescription,
): { readonly text: string; readonly failure?: string } {
  // A rejected plan is not in force.
  const lengths = result?.isError ? shortenPlan(style) : style;
  const described = lengths === style && known ? known : call && describeCall(call, lengths);
  if (!result) return { text: renderCall(described?.text || call?.tool, "none") };
  const { text = "", reports: about = "look", isOrder = false } = described ?? {};
  const { root, vocabulary } = style;
  const said = dropRepeated(renderOriginal(result) ?? "", about === "task" ? call : undefined);
  const meaning = vocabulary.interpretNote?.(said);
  const reports = meaning?.isReport === true ? "brief" : about;
  const room = reports === "task" ? lengths.planCharacters : lengths.briefCharacters;
  // A report that only quotes the client's chatter does not count.
  const original = (reports === "brief" && meaning?.text) || said;
  const isReport = meaning !== undefined && meaning.text !== "" ? meaning.isReport : isOrder && !result.isError;
  const options = { reports, room, path: described?.path, root, isBrief: style.isBrief && !isReport, vocabulary };
  const shown = { ...renderResult(result, original, options), isReport };
  const isMarked = reports === "task" && !shown.failed && shown.text !== "" && !isTask(text);
  const outcome = isMarked ? { ...shown, text: TASK + shown.text } : shown;
  // The outcome of a commit already says what the commit is.
  const isShown = reports === "landmark" && outcome.isLasting === true && outcome.text.startsWith("[");
  // A call that is normally left out is named if it failed.
  const whole = text === "" && outcome.text !== "" ? call?.tool : described?.text;
  const line = renderCall(isShown ? clipText(text, MAX_SHOWN_CHARACTERS) : whole, outcome);
  return outcome.failed ? { text: line, failure: outcome.text } : { text: line };
}

/** A host repeats an accepted plan in its result; the call already shows it. */
function dropRepeated(original: string, call: ToolCallBlock | undefined): string {
  const plan = call ? findLongest(call.input) : "";
  const at = plan.length < LEAST_REPEATED_CHARACTERS ? -1 : original.indexOf(plan.slice(0, LEAST_REPEATED_CHARACTERS));
  return at < 0 ? original : original.slice(0, at).replace(/\s*(?:#+ [^\n]*)?\s*$/, "");
}

/** Longer reminders and attachments are fetched like results. */
const MAX_NOTE_CHARACTERS = 400;
const CLIPPED_NOTE_CHARACTERS = 80;

/** A text from the host: what it says about the work if the vocabulary knows it, a short note in full, otherwise the beginning. */
function renderNote(text: string, { vocabulary, briefCharacters }: LedgerStyle): Line {
  const sections = [{ part: "", text } as const];
  const meaning = vocabulary.interpretNote?.(text);
  if (meaning?.text === "" || text.trim() === "") return { kind: "line", text: "", label: "notes", sections };
  const words = meaning === undefined ? text : meaning.text;
  const most = meaning === undefined ? MAX_NOTE_CHARACTERS : Math.max(MAX_NOTE_CHARACTERS, briefCharacters);
  const room = words.length <= most ? most : meaning === undefined ? CLIPPED_NOTE_CHARACTERS : most;
  const line = meaning === undefined ? renderLine(words, room) : renderEnds(words, room);
  const shown = words.length <= most ? line : renderShortened(line, text.length);
  const said = renderSaid(meaning?.isReport === true ? "report" : "note", shown);
  return { kind: "line", text: said, label: "notes", sections };
}

/** Longer words of the model are behind the number in front of them. */
const SHORT_WORDS_CHARACTERS = 160;

/** The model's words: findings and answers as far as there is room; passing remarks only as a number. */
function renderWords(text: string, words: Words): Line {
  const { message, blocks } = foldCodeBlocks(text);
  const sections = [{ part: "", text } as const];
  const render = (prose: string): string => {
    if (prose.trim() === "") return "";
    // A code block is shown as its outline, and the text after it gets the room it would have had alone.
    const most = words.room + blocks * MEMBER_BUDGET;
    const line = renderEnds(prose, most);
    const shown = blocks === 0 && prose.length <= most ? line : renderShortened(line, text.length);
    return renderSaid("assistant", shown);
  };
  // Answers keep their narration: the person may have to act on it.
  const prose = words.isAnswer ? message : dropNarration(message);
  if (prose.trim() === "") return { kind: "line", text: "", label: REMARKS, sections, isPassing: true };
  const without = words.isAnswer ? prose : dropNarration(message, { isReplaced: true });
  const isShort = text.length <= SHORT_WORDS_CHARACTERS && !text.includes("\n");
  if (isShort && prose === text && without === prose)
    return { kind: "line", text: renderSaid("assistant", text), sections: [] };
  const line = { kind: "line", text: render(prose), label: REMARKS, sections } as const;
  return without === prose ? line : { ...line, replaced: { name: "announcement", text: render(without) } };
}

/** Label of passing remarks of which only the number is shown. */
export const REMARKS = "remarks";
