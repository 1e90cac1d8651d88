import type { Fact } from "../../survive/receipt/fact.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { listRestorable } from "../../survive/restore/list-restorable.ts";
import type { HookContext } from "./hook.ts";

/** The client writes them in front of whatever a hook adds, our own injections included. */
const HOST_WORDS: readonly string[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "SessionStart",
  "PreCompact",
];

/** What a compaction must not lose of this session. */
export function collectFacts(happened: Happened, { project }: HookContext): readonly Fact[] {
  return listRestorable(happened, { root: project, hostWords: HOST_WORDS });
}
