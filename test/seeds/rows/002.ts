import type { Rows } from "../row.ts";

export const ROWS_002: Rows = {
  R122: {
    what: "what one turn sees, and what outlives it",
    see: "`plimsoll memory add Release Tag before publishing.`, then `plimsoll memory`; event SessionStart sends the index",
  },
  R123: {
    what: "instructions held against the project",
    see: '`plimsoll lint`; `import { checkStaleness } from "plimsoll/prompt"`',
  },
  R124: {
    what: "organisation, user, root, parents, children",
    see: '`import { readInstructionFiles } from "plimsoll/files"`',
  },
  R125: {
    what: "only the scope of the active file",
    see: '`import { readInstructionFiles } from "plimsoll/files"` with its activeFile',
  },
  R126: {
    what: "the same words once, contradictions named",
    see: '`import { fitInstructions, findRuleConflicts } from "plimsoll/prompt"`; `plimsoll lint`',
  },
  R127: {
    what: "five layers, cheapest first",
    see: '`import { createLayers } from "plimsoll/layers"`; `plimsoll explain` for what was done in a session',
    setting: "policy",
  },
  R128: {
    what: "most requests stop at the first layer",
    see: "`plimsoll inspect --requests --json`: firstLayerShare; `npm run lab -- bench layers`",
    setting: "policy",
  },
  R129: {
    what: "each layer once, then it lets go",
    see: '`import { withPlimsoll } from "plimsoll/anthropic-sdk"`: one more try after an overflow, then the error is yours',
  },
  R130: {
    what: "a boundary, and what comes after it is the history",
    see: "/compact, then `plimsoll inspect`",
    setting: "compaction",
  },
  R131: {
    what: "summary and memories in one answer, or neither",
    see: '`import { createAutoCompact } from "plimsoll/layers"`; example 04',
  },
  R132: {
    what: "20,000 tokens kept for a summary",
    see: '`import { RESERVED_TOKENS } from "plimsoll/layers"`; autoCompact takes summaryTokensP9999',
  },
  R133: {
    what: "the memory's index of 200 lines, its topics on demand",
    see: "`plimsoll memory`, then `plimsoll memory show Release`",
  },
  R134: {
    what: "what never changes before the boundary",
    see: '`import { assemblePrompt } from "plimsoll/prompt"`; example 06',
  },
  R135: {
    what: "4,000 characters an instruction file",
    see: '`import { fitInstructions } from "plimsoll/prompt"`; event SessionStart with a long `.plimsoll/rules/a.md`',
  },
  R136: {
    what: "12,000 characters of instructions in all",
    see: '`import { fitInstructions } from "plimsoll/prompt"`; `plimsoll lint`',
  },
  R137: {
    what: "every cut in sight, every file without room named",
    see: "event SessionStart with seven long files in `.plimsoll/rules/`",
  },
  R138: {
    what: "large results cut where they arise",
    see: "event PostToolUse of a large output; `plimsoll fold README.md`",
    setting: "fold",
  },
  R139: { what: "stale results leave", see: '`import { createClearStale } from "plimsoll/layers"`' },
  R140: {
    what: "old turns as one text, so far",
    see: '`import { createSummariser } from "plimsoll/anthropic-sdk"`; example 04',
  },
  R141: {
    what: "an overflow is met by sending less, once",
    see: '`import { withPlimsoll } from "plimsoll/anthropic-sdk"`; `plimsoll gateway`',
  },
  R142: {
    what: "old exchanges as a ledger, one line a call",
    see: "/compact in a client with modules; `plimsoll preview-compact`",
    setting: "compaction",
  },
  R143: {
    what: "tools start while the answer streams in",
    see: '`import { createToolExecutor } from "plimsoll/stream"`; example 03',
  },
  R144: { what: "seven ways to waste a window", see: "`plimsoll lint`" },
  R145: { what: "every injection weighed and priced", see: "`plimsoll stats --injections`" },
  R146: {
    what: "rules at a session's start",
    see: "event SessionStart in a project with `.plimsoll/rules/a.md`; `plimsoll audit --path .` names a bare `rules/` that is passed over",
  },
  R147: {
    what: "rules with every prompt",
    see: "event UserPromptSubmit",
    setting: "remindEachPrompt",
    off: "repeated rules weigh as much each time: up to 12,000 characters a prompt",
  },
  R148: {
    what: "the reminder to be economical",
    see: "event UserPromptSubmit",
    setting: "remindEachPrompt",
    off: "16 tokens a prompt, in addition to the rules of R147",
  },
  R149: {
    what: "what is left of the account's limits",
    see: "`plimsoll statusline`, then event UserPromptSubmit: WARN at 70 %, CRITICAL at 90 %",
  },
  R150: {
    what: "ignored folders stay out of the window",
    see: "event PreToolUse of a read below node_modules",
    setting: "guard",
  },
  R151: {
    what: "a document held against conventions as it is changed",
    see: "event PostToolUse of an edit below docs/",
  },
  R152: {
    what: "tokens, growth and price of every request",
    see: '`plimsoll inspect --requests`; `import { listRequests } from "plimsoll/measure"`',
  },
  R153: {
    what: "what broke the cached prefix",
    see: '`import { checkStability } from "plimsoll/prompt"`; `plimsoll stats`: cache misses by cause',
  },
  R154: {
    what: "how large summaries are",
    see: '`plimsoll stats summaries`; `import { describeSummarySizes } from "plimsoll/measure"`',
  },
  R155: {
    what: "a collapse that works",
    see: "/compact in a client with modules; `plimsoll replay`",
    setting: "compaction",
  },
  R188: { what: "which instruction files hold for a path", see: "`plimsoll audit --path src/index.ts`" },
  R189: { what: "whole files read where a search would have done", see: "`plimsoll lint`: whole-file-reads" },
  R190: {
    what: "results in the next turn as soon as they exist",
    see: '`import { createToolExecutor } from "plimsoll/stream"`; example 11',
  },
  R191: {
    what: "rules that drift into prose, reported at the edit",
    see: "event PostToolUse of a Write that puts an essay into `.plimsoll/rules/a.md`",
  },
  R192: {
    what: "near a limit of the account what that limit counts is saved",
    see: "`plimsoll stats` for what your limits count; from 70 % used on the module weighs a compaction by it",
    setting: "objective",
  },
};
