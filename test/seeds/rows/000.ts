import type { Rows } from "../row.ts";

export const ROWS_000: Rows = {
  R1: {
    what: "has three modes, each with its own rules",
    see: "`plimsoll mode dev`, `plimsoll mode research`, `plimsoll mode review`",
  },
  R2: { what: "reads the mode from a file", see: "`echo dev > .plimsoll/active-context.md`, then `plimsoll mode`" },
  R3: {
    what: "sends the mode's rules at every session start",
    see: "event SessionStart; after /compact it is sent again",
  },
  R4: {
    what: "sends a changed mode once, at the next prompt",
    see: "write another name into the file: event UserPromptSubmit sends it",
  },
  R5: { what: "sends nothing without a mode file", see: "`plimsoll mode off`, then any prompt" },
  R6: {
    what: "accepts only known modes, never a path",
    see: "write `../../x` into the file: a warning, and nothing is sent",
  },
  R7: {
    what: "reports at phase boundaries, at thresholds and before compactions",
    see: "`plimsoll health --caller cook --occasion phase-boundary`; event PostToolUse; event PreCompact",
  },
  R8: { what: "saves the state at RED", see: "`ls .plimsoll/` after RED; event PostToolUse" },
  R9: {
    what: "answers skills by their name",
    see: "`plimsoll health --caller team --occasion after-merge`; MCP `health` with a caller",
  },
  R10: { what: "keeps the health report short", see: "`plimsoll health`: its report is at most 800 characters" },
  R11: {
    what: "answers questions about the window",
    see: 'typing "How full is the context window?"; the answer says what helps',
  },
  R12: { what: "counts every tool call", see: "`plimsoll health`" },
  R13: {
    what: "marks an estimate as an estimate",
    see: "`plimsoll health --profile calls`: the note says directional",
    setting: "profile",
  },
  R14: { what: "has levels at 50, 80 and 120 calls", see: "`plimsoll health --profile calls`", setting: "profile" },
  R15: {
    what: "says that these numbers are rules of thumb",
    see: "`plimsoll health --profile calls`, and [measuring](reference/measuring.md)",
  },
  R16: {
    what: "lowers the levels for large files: 40, 65 and 100 calls",
    see: "`plimsoll health --profile calls` after three large reads",
    setting: "profile",
  },
  R17: {
    what: "switches tables after three reads above 500 lines",
    see: "`plimsoll health --json`: largeReads, hasLargeFiles",
  },
  R18: {
    what: "estimates tokens by a weight per tool",
    see: "`plimsoll health` of a session without recorded usage: the line Rule of thumb",
    off: "where usage is recorded: by weights it is 0.43 of the true size, in the median",
  },
  R19: { what: "knows the window of each model", see: "`plimsoll health --json`: model, windowTokens" },
  R20: {
    what: "has levels at 50, 70 and 85 % of the window",
    see: "`plimsoll health --profile percent`",
    setting: "profile",
  },
  R21: {
    what: "warns when 35 and 25 percent are left",
    see: "event PostToolUse with the profile percent or calls",
    setting: "profile",
  },
  R22: {
    what: "sends at most one advisory in five calls",
    see: "event PostToolUse; `plimsoll stats --injections` counts them",
    setting: "advisories",
  },
  R23: {
    what: "prefers measured sizes to call counts",
    see: "`plimsoll health`, and [measuring](reference/measuring.md)",
    setting: "profile",
  },
  R24: {
    what: "merges both printed level tables into one",
    see: "`plimsoll health --profile percent`",
    setting: "profile",
  },
  R25: { what: "is silent while GREEN", see: "event PostToolUse of a light session: nothing is sent" },
  R26: { what: "sends the exact YELLOW text", see: "event PostToolUse at the 50th call", setting: "advisories" },
  R27: { what: "sends the exact ORANGE text", see: "event PostToolUse at the 80th call", setting: "advisories" },
  R28: { what: "names the next safe boundary", see: "`plimsoll health --caller cook`: boundary" },
  R29: {
    what: "asks for terse writing from ORANGE on, with its signal",
    see: "event PostToolUse at ORANGE; the signal in `plimsoll explain`",
    setting: "density",
    off: "it changed final answers to the user, and an instant compaction makes it unnecessary",
  },
  R30: {
    what: "saves first, then sends the signal",
    see: "event PostToolUse at RED; the order in `plimsoll explain`",
    setting: "density",
  },
  R31: {
    what: "saves task, phase, files, decisions and remaining work",
    see: "`cat .plimsoll/checkpoint.md` after RED",
  },
  R32: { what: "sends the exact RED text, after the save", see: "event PostToolUse at the 121st call" },
  R33: {
    what: "refuses calls until the session is compacted",
    see: "event PreToolUse at RED",
    setting: "blockAtRed",
    off: "a wrong RED would lock a session; you can switch it on",
  },
  R34: { what: "never refuses calls at ORANGE", see: "event PreToolUse at ORANGE", setting: "blockAtRed" },
  R35: {
    what: "prints the health report in the documented form",
    see: "`plimsoll health`; /plimsoll health in the client",
  },
  R36: { what: "lists in the health report what a compaction keeps", see: "`plimsoll health`: Critical Context" },
  R37: { what: "finds five to ten candidates", see: '`plimsoll retrieve "wrong total in the cart"`' },
  R38: {
    what: "scores files and finds terms in this code",
    see: '`plimsoll retrieve "wrong total in the cart" --json`',
  },
  R39: {
    what: "searches again with the terms it found",
    see: '`plimsoll retrieve "wrong total in the cart"`: its cycles',
  },
  R40: {
    what: "stops after three cycles or three good files",
    see: '`plimsoll retrieve "wrong total in the cart"`: why it stopped',
  },
  R41: {
    what: "compacts at RED, or at ORANGE if you approve",
    see: '`{ "profile": "calls", "early": "ask" }` in the settings',
    setting: "early",
  },
  R42: { what: "orders the six parts of the summary", see: "`plimsoll summary`" },
  R43: {
    what: "keeps each decision with reason and files",
    see: "`plimsoll summary`: Key Decisions Made; `cat .plimsoll/decisions.md` after RED",
  },
  R44: { what: "says where the work is: file, function, done and left", see: "`plimsoll summary`: Active Threads" },
  R45: { what: "keeps urgency, deadlines and wishes", see: "`plimsoll summary`: Emotional/Priority Context" },
  R46: { what: "states the exact next action", see: "`plimsoll summary`: Continuation Point" },
  R47: {
    what: "keeps the summary below 500 tokens, without file contents",
    see: "`plimsoll summary --json`: anchor.tokens",
  },
  R48: {
    what: "keeps file and function, remaining work and next step",
    see: "`plimsoll summary`; also in the record after /compact",
  },
  R49: { what: "accepts text in chunks of any size", see: '`import { createSentenceBuffer } from "plimsoll/stream"`' },
  R50: {
    what: "ends a sentence after 40 characters or more",
    see: '`import { createSentenceBuffer } from "plimsoll/stream"`',
  },
  R51: {
    what: "ends a paragraph after 15 characters or more",
    see: '`import { createSentenceBuffer } from "plimsoll/stream"`',
  },
  R52: {
    what: "never splits a word or a code block",
    see: '`import { createSentenceBuffer } from "plimsoll/stream"`',
  },
  R53: {
    what: "returns pieces that add up to the input",
    see: '`import { createSentenceBuffer } from "plimsoll/stream"`: feed, then flush',
  },
  R54: {
    what: "does not split code, JSON or short replies",
    see: '`createSentenceBuffer({ mode: "json" })` of `import { createSentenceBuffer } from "plimsoll/stream"`',
  },
  R55: {
    what: "folds outputs above 4,000 characters",
    see: "event PostToolUse; `plimsoll fold FILE`; in the module with the policy thrifty, otherwise above 16,000",
    setting: "policy",
  },
  R56: {
    what: "folds outputs above 120 lines",
    see: "event PostToolUse; in the module with the policy thrifty",
    setting: "policy",
  },
  R57: {
    what: "combines five outputs of one kind in one file",
    see: "five searches in a row",
    setting: "combine",
    off: "it saves 2.6 % of result tokens, and 76 of 345 lose something that the next steps use",
  },
  R58: {
    what: "folds code blocks above 200 lines",
    see: 'an old answer in the ledger, after "/compact"; `import { foldCodeBlock } from "plimsoll/fold"`',
  },
  R59: { what: "stores the original output under a header", see: "`ls .plimsoll/artifacts/`; `plimsoll artifacts`" },
  R60: {
    what: "shows a marker, a preview and the path of a folded output",
    see: "event PostToolUse; `plimsoll fold FILE --style classic` for the first ten lines",
    setting: "preview",
  },
  R61: {
    what: "keeps originals after a compaction",
    see: "/compact, then `plimsoll artifacts`; the module's record lists their handles",
  },
  R62: {
    what: "does not fold errors, the user's words or small outputs",
    see: "`plimsoll artifacts prune --dry-run`; event Stop removes old ones",
    setting: "fold",
  },
  R63: {
    what: "knows what 3,000 lines really cost",
    see: "`plimsoll inspect`, and [measuring](reference/measuring.md)",
  },
  R64: {
    what: "stores private files and removes secrets",
    see: "`plimsoll fold FILE --store`, then `ls -l .plimsoll/artifacts/`",
  },
};
