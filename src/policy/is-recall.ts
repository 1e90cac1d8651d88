import type { JsonObject } from "../core/json.ts";
import { mixWriteRate, rateModel } from "../models/economics/rates.ts";

/** Where originals lie, and the command that shows them. */
const PLACES = [".plimsoll/artifacts", ".plimsoll\\artifacts", "plimsoll artifacts", "plimsoll:"] as const;

/** Whether a call asks for an original that was folded away: to fold the answer again would keep it for ever out of reach. */
export function isRecall(tool: string, input: JsonObject): boolean {
  if (/plimsoll/i.test(tool)) return true;
  return ["file_path", "filePath", "path", "command", "pattern", "glob"].some((field) => {
    const value = input[field];
    return typeof value === "string" && PLACES.some((place) => value.includes(place));
  });
}

/** A conversation without the tool `recall`, in which something would leave for the first time. */
export interface RecallEntry {
  readonly model: string;
  /** Lies in the cache, and would have stayed there: the tool stands in front of it. */
  readonly rewrittenTokens: number;
  /** Less in every later request. */
  readonly savedTokens: number;
  /** Of those: never sent before, so not even written once. */
  readonly unwrittenTokens: number;
  readonly share1h: number;
  /** Thinking that the model would lose, because it is bound to the tools it was thought with. */
  readonly losesThinking: boolean;
}

/** What followed the first result that a fold is for, before the end or a compaction, in half of 79 recorded conversations that had one. */
const REQUESTS_TO_COME = 59;

/**
 * Whether the tool is worth its place now. What is cached begins with the tools, so that all of it is written anew once; after that
 * the tool stays, and nothing is paid again.
 */
export function isEntryDue(entry: RecallEntry): boolean {
  const { model, rewrittenTokens, savedTokens, unwrittenTokens, share1h, losesThinking } = entry;
  if (losesThinking) return false;
  const rates = rateModel(model, rewrittenTokens);
  const write = mixWriteRate(rates, share1h);
  const gain = savedTokens * rates.read * REQUESTS_TO_COME + unwrittenTokens * write;
  return gain > rewrittenTokens * (write - rates.read);
}

/** What a request says about tools. */
interface ToolTerms {
  /** It offers tools of its own. */
  readonly hasTools: boolean;
  /** The `type` of its `tool_choice`; empty where it says none. */
  readonly toolChoice: string;
}

/**
 * Whether the model can be given a tool to fetch things back with in this request. Where it can call no tool, or only a certain one,
 * nothing may be out of its reach: such a request leaves whole.
 */
export function mayServeRecall({ hasTools, toolChoice }: ToolTerms): boolean {
  return hasTools && (toolChoice === "" || toolChoice === "auto" || toolChoice === "any");
}
