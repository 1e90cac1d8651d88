import type { Rows } from "../row.ts";

export const ROWS_003: Rows = {
  R156: {
    what: "works with the client's compaction and changes no line of the transcript",
    see: "event PreCompact, event PostCompact; the module answers it",
    setting: "compaction",
  },
  R157: { what: "looks for finished tasks after Bash, Write, Edit", see: "event PostToolUse" },
  R158: {
    what: "looks every ten requests",
    see: "event PostToolUse; `lastCheckTurn` in `~/.claude/data/context_queue`",
  },
  R159: { what: "looks from 70 % of the load line on", see: "event PostToolUse", setting: "line" },
  R160: { what: "measures by usage, not by characters", see: "`plimsoll health`: its source" },
  R161: {
    what: "treats a task as cold if it ended more than 20 requests ago and was not mentioned since",
    see: "`plimsoll state --cold list`",
  },
  R162: { what: "saves the task's files, commands, outcomes and errors", see: "`plimsoll state --cold list --json`" },
  R163: { what: "writes one file per task, once", see: "event PostToolUse; the file's time does not change" },
  R164: {
    what: "names files by session and task, in the pipeline's folder",
    see: "`ls ~/.claude/data/compressed_context`",
  },
  R165: { what: "writes ten fields", see: "`plimsoll state --cold list --json`" },
  R166: {
    what: "runs once before every compaction, automatic or manual",
    see: 'event PreCompact; type "/compact"; `plimsoll preserve --trigger manual`',
  },
  R167: {
    what: "tells the summarising model what must survive",
    see: "event PreCompact; in the module where the client summarises",
    setting: "compaction",
  },
  R168: { what: "lists ten open tasks, those in progress first", see: "`plimsoll preserve`" },
  R169: { what: "lists twenty modified files, the most recent first", see: "`plimsoll preserve`" },
  R170: { what: "lists five test commands", see: "`plimsoll preserve`" },
  R171: { what: "lists fifteen decisions in their own words", see: "`plimsoll preserve`; `plimsoll state`" },
  R172: {
    what: "lists eight recent errors, also of commands that exit with status 0",
    see: "`plimsoll preserve`; `plimsoll state`",
  },
  R173: { what: "adds git's statistics, or those of staged changes", see: "`plimsoll preserve` in a repository" },
  R174: { what: "adds the summaries of finished tasks", see: "`plimsoll preserve`; event PreCompact" },
  R175: { what: "connects a task's calls by its id", see: "`plimsoll state`" },
  R176: { what: "lays out the block and omits empty sections", see: "`plimsoll preserve`" },
  R177: { what: "adds eight rules for the summary", see: "`plimsoll preserve`" },
  R178: {
    what: "follows the timeline: check, write, stay silent, compact",
    see: "event PostToolUse, then event PreCompact",
  },
  R179: { what: "states its limits", see: '[README](../README.md), "What it does not do"' },
  R180: { what: "recommends delegation for very long sessions", see: '[README](../README.md), "What it does not do"' },
  R181: {
    what: "stores when each session last checked",
    see: "`ls ~/.claude/data/context_queue`; event PostToolUse writes it",
  },
  R182: {
    what: "can list, clear, reset and expire summaries",
    see: "`plimsoll state --cold list`, `plimsoll state --cold clear`, `plimsoll state --cold reset`, `plimsoll state --cold expire`",
  },
  R183: {
    what: "ends a failure with status 0 and one line",
    see: "put a file in place of `~/.claude/data/compressed_context`; `plimsoll doctor` names the failure",
  },
  R184: {
    what: "reports after a compaction how many summaries exist and which facts were lost",
    see: "event PostCompact; `plimsoll receipt`",
  },
  R185: {
    what: "keeps a fixed error with its fix, and only that one",
    see: "`plimsoll state --json`: resolvedBy, editedFiles; `plimsoll state --cold list --json`: errors_resolved",
  },
  R193: {
    what: "lists the summaries of one session",
    see: "`plimsoll state --cold list --session 1`",
  },
};
