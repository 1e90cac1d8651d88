import type { Rows } from "../row.ts";

export const ROWS_003: Rows = {
  R156: {
    what: "survives the client's compaction, no line of the transcript changed",
    see: "event PreCompact, event PostCompact; the module answers by itself",
    setting: "compaction",
  },
  R157: { what: "looks for finished tasks after Bash, Write, Edit", see: "event PostToolUse" },
  R158: { what: "every ten requests", see: "event PostToolUse; `lastCheckTurn` in `~/.claude/data/context_queue`" },
  R159: { what: "from 70 % on of the way to where the window is compacted", see: "event PostToolUse", setting: "line" },
  R160: { what: "by usage, not by characters", see: "`plimsoll health`: its source" },
  R161: {
    what: "cold: finished more than 20 requests ago and not spoken of in the last 20",
    see: "`plimsoll state --cold list`",
  },
  R162: { what: "files, commands, outcomes and errors of the task", see: "`plimsoll state --cold list --json`" },
  R163: { what: "one file a task, written once", see: "event PostToolUse; the file's time does not change" },
  R164: {
    what: "named by session and task, where the pipeline keeps them",
    see: "`ls ~/.claude/data/compressed_context`",
  },
  R165: { what: "ten fields", see: "`plimsoll state --cold list --json`" },
  R166: {
    what: "before every compaction, automatic or asked for, once each",
    see: 'event PreCompact; type "/compact"; `plimsoll preserve --trigger manual`',
  },
  R167: {
    what: "the summarising model is told what must survive",
    see: "event PreCompact; in the module where the client summarises",
    setting: "compaction",
  },
  R168: { what: "ten open tasks, those in progress first", see: "`plimsoll preserve`" },
  R169: { what: "twenty modified files, the last touched first", see: "`plimsoll preserve`" },
  R170: { what: "five test commands", see: "`plimsoll preserve`" },
  R171: { what: "fifteen decisions, by their words", see: "`plimsoll preserve`; `plimsoll state`" },
  R172: {
    what: "eight recent errors, also of commands that end with status 0",
    see: "`plimsoll preserve`; `plimsoll state`",
  },
  R173: { what: "git's statistics, or of what is staged", see: "`plimsoll preserve` in a repository" },
  R174: { what: "the summaries of finished tasks", see: "`plimsoll preserve`; event PreCompact" },
  R175: { what: "a task's calls are tied together by its id", see: "`plimsoll state`" },
  R176: { what: "the block's layout, empty sections left out", see: "`plimsoll preserve`" },
  R177: { what: "eight rules for the summary", see: "`plimsoll preserve`" },
  R178: {
    what: "the timeline: looked and silent, looked and written, silent again, compaction",
    see: "event PostToolUse, then event PreCompact",
  },
  R179: { what: "the limits are stated", see: '[README](../README.md), "What it does not do"' },
  R180: { what: "delegation for very long sessions", see: '[README](../README.md), "What it does not do"' },
  R181: {
    what: "when each session last looked",
    see: "`ls ~/.claude/data/context_queue`; event PostToolUse writes it",
  },
  R182: {
    what: "list, clear, reset, expire",
    see: "`plimsoll state --cold list`, `plimsoll state --cold clear`, `plimsoll state --cold reset`, `plimsoll state --cold expire`",
  },
  R183: {
    what: "a failure ends with status 0 and one line",
    see: "a file in the place of `~/.claude/data/compressed_context`; `plimsoll doctor` names the failure",
  },
  R184: {
    what: "after a compaction: how many summaries there are, and which facts were lost",
    see: "event PostCompact; `plimsoll receipt`",
  },
  R185: {
    what: "an error that was fixed is kept with its fix, and no other among them",
    see: "`plimsoll state --json`: resolvedBy, editedFiles; `plimsoll state --cold list --json`: errors_resolved",
  },
  R193: {
    what: "the summaries of one session alone",
    see: "`plimsoll state --cold list --session 1`",
  },
};
