import type { Rows } from "../row.ts";

export const ROWS_002: Rows = {
  R122: {
    what: "separates what one turn sees from what is remembered",
    see: "`plimsoll memory add Release Tag before publishing.`; event SessionStart",
  },
  R123: {
    what: "checks instructions against the project",
    see: "`plimsoll lint`; `checkStaleness` of `plimsoll/prompt`",
  },
  R124: {
    what: "reads instruction files in order: organisation, user, root, parents, children",
    see: "`readInstructionFiles` of `plimsoll/files`",
  },
  R125: {
    what: "loads only instruction files for the active file's folders",
    see: "`readInstructionFiles` of `plimsoll/files`",
  },
  R126: {
    what: "includes the same text once, and reports contradictions",
    see: "`fitInstructions, findRuleConflicts` of `plimsoll/prompt`; `plimsoll lint`",
  },
  R127: {
    what: "runs five layers, cheapest first",
    see: "`createLayers` of `plimsoll/layers`; `plimsoll explain`",
    setting: "policy",
  },
  R128: {
    what: "needs only the first layer for most requests",
    see: "`plimsoll inspect --requests --json`: `firstLayerShare`",
    setting: "policy",
  },
  R129: {
    what: "runs each layer once after an overflow, then passes the error on",
    see: "`withPlimsoll` of `plimsoll/anthropic-sdk`",
  },
  R130: {
    what: "marks a boundary; the history begins after it",
    see: "/compact, then `plimsoll inspect`",
    setting: "compaction",
  },
  R131: {
    what: "accepts summary and memories together, or neither",
    see: "`createAutoCompact` of `plimsoll/layers`; example 04",
  },
  R132: { what: "reserves 20,000 tokens for a summary", see: "`RESERVED_TOKENS` of `plimsoll/layers`" },
  R133: { what: "loads a memory index of 200 lines, and topics on demand", see: "`plimsoll memory show Release`" },
  R134: {
    what: "puts the unchanging part before the boundary",
    see: "`assemblePrompt` of `plimsoll/prompt`; example 06",
  },
  R135: {
    what: "limits an instruction file to 4,000 characters",
    see: "`fitInstructions` of `plimsoll/prompt`; event SessionStart with long files in `.plimsoll/rules/`",
  },
  R136: {
    what: "all to 12,000",
    see: "`fitInstructions` of `plimsoll/prompt`; event SessionStart with long files in `.plimsoll/rules/`",
  },
  R137: {
    what: "marks every cut, and lists every file that did not fit",
    see: "`fitInstructions` of `plimsoll/prompt`; event SessionStart with long files in `.plimsoll/rules/`",
  },
  R138: {
    what: "cuts large results where they arise",
    see: "event PostToolUse; `plimsoll fold README.md`",
    setting: "fold",
  },
  R139: { what: "removes stale results", see: "`createClearStale` of `plimsoll/layers`" },
  R140: {
    what: "summarises old turns in one text",
    see: "`createSummariser` of `plimsoll/anthropic-sdk`; example 04",
  },
  R141: {
    what: "answers an overflow by sending less, once",
    see: "`withPlimsoll` of `plimsoll/anthropic-sdk`; `plimsoll gateway`",
  },
  R142: {
    what: "replaces old exchanges with a ledger, one line per call",
    see: "/compact; `plimsoll preview-compact`",
    setting: "compaction",
  },
  R143: {
    what: "starts tools while the answer streams",
    see: "`createToolExecutor` of `plimsoll/stream`; example 03",
  },
  R144: { what: "detects seven ways to waste a window", see: "`plimsoll lint`" },
  R145: { what: "counts and prices everything it adds", see: "`plimsoll stats --injections`" },
  R146: {
    what: "sends rules at the session start",
    see: "event SessionStart with `.plimsoll/rules/a.md`; `plimsoll audit --path .`",
  },
  R147: {
    what: "sends rules with every prompt",
    see: "event UserPromptSubmit",
    setting: "remindEachPrompt",
    off: "up to 12,000 characters with each prompt",
  },
  R148: {
    what: "sends the reminder to be economical",
    see: "event UserPromptSubmit",
    setting: "remindEachPrompt",
    off: "16 tokens with each prompt",
  },
  R149: {
    what: "reports the account's limits at 70 and 90 %",
    see: "`plimsoll statusline`, then event UserPromptSubmit",
  },
  R150: {
    what: "keeps ignored folders out of the window",
    see: "event PreToolUse of a read below node_modules",
    setting: "guard",
  },
  R151: { what: "checks a changed document against conventions", see: "event PostToolUse of an edit below docs/" },
  R152: {
    what: "shows tokens, growth and price of every request",
    see: "`plimsoll inspect --requests`; `listRequests` of `plimsoll/measure`",
  },
  R153: {
    what: "shows what broke the cached prefix",
    see: "`checkStability` of `plimsoll/prompt`; `plimsoll stats`",
  },
  R154: {
    what: "shows how large summaries are",
    see: "`plimsoll stats summaries`; `describeSummarySizes` of `plimsoll/measure`",
  },
  R155: {
    what: "collapses old exchanges in a real session",
    see: "/compact; `plimsoll replay`",
    setting: "compaction",
  },
  R188: { what: "shows which instruction files apply to a path", see: "`plimsoll audit --path src/index.ts`" },
  R189: { what: "reports whole files that were read where a search would do", see: "`plimsoll lint`" },
  R190: {
    what: "delivers results in the next turn as soon as they exist",
    see: "`createToolExecutor` of `plimsoll/stream`; example 11",
  },
  R191: {
    what: "reports rules that turn into prose, at the edit",
    see: "event PostToolUse of an essay written into `.plimsoll/rules/a.md`",
  },
  R192: {
    what: "saves what an account limit counts when that limit is near",
    see: "`plimsoll stats --limits`",
    setting: "objective",
  },
};
