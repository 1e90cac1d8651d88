import type { JsonObject } from "../../core/json.ts";
import type { ToolResultBlock } from "../../core/message.ts";

/** What a call does, as far as layers need to know. A session's `Action` is one. */
export interface CallMeaning {
  /** `read`, `write` and `edit` act on the file at `path`; every other kind does not touch it. */
  readonly kind: string;
  readonly path?: string;
  readonly range?: { readonly first: number; readonly last: number } | undefined;
  readonly command?: string;
  readonly pattern?: string;
  /** New status of a named piece of work; `done` ends it. */
  readonly status?: string | undefined;
  /** A to-do list, written whole each time. */
  readonly todos?: readonly { readonly status: string; readonly subject?: string }[];
  readonly subject?: string;
  /** Order to a subagent, in a few words. */
  readonly prompt?: string;
}

export interface NoteMeaning {
  /** Empty for chatter. */
  readonly text: string;
  readonly isReport: boolean;
}

/** What a host's tools mean; the layers know no tool by name. A host's own vocabulary fits. */
export interface CallVocabulary {
  interpretCall(tool: string, input: JsonObject): CallMeaning;
  /** A result that only says the file is unchanged since it was last read. The result it points to must stay. */
  isPointer?(result: ToolResultBlock): boolean;
  /** A result without the standard text that the host adds to it, which is no part of the outcome. */
  dropAdded?(text: string): string;
  /** What a host's text says about the work; `undefined` if unknown. */
  interpretNote?(text: string): NoteMeaning | undefined;
}

/** For hosts without a vocabulary: no call reads or changes a file. */
export const plainVocabulary: CallVocabulary = { interpretCall: () => ({ kind: "other" }) };

/** Whether a file holds a person's standing instructions to agents, by the name that one of them looks for. */
export function isInstructionFile(path: string): boolean {
  return /(?:^|[\\/])(?:AGENTS|CLAUDE(?:\.local)?|GEMINI|copilot-instructions)\.md$/i.test(path);
}
