import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Notice, Vocabulary } from "../../session/action.ts";
import { interpretCall } from "./interpret-call.ts";
import { interpretOrphan, interpretResult } from "./interpret-result.ts";

/** What the client's tools mean. MCP servers that mirror the client's own tools are read as those. */
export const claudeCodeVocabulary: Vocabulary & CallVocabulary = {
  interpretCall,
  interpretResult,
  interpretOrphan,
  interpretPrompt,
  interpretNotice,
  interpretNote,
  isBoilerplate: (label) => BOILERPLATE.has(label),
};

/** Tools that change nothing and mean nothing more to a session. */
export function onlyLooks(tool: string): boolean {
  return /^(?:ToolSearch|Skill|TaskGet|TaskOutput|BashOutput|WebSearch)$/.test(tool);
}

const BOILERPLATE: ReadonlySet<string> = new Set([
  "agent_listing_delta",
  "date",
  "deferred_tools_delta",
  "environment",
  "mcp_instructions_delta",
  "model",
  "prompt_snapshot",
  "remote_session_change",
  "session_context",
  "skill_listing",
  "task_reminder",
  "todo_reminder",
  "total_tokens_reminder",
]);

const INTERRUPTION = "[Request interrupted by user";
/** Commands that ask the model begin with their message, those that the client answers itself with their name. */
const ASKING_COMMAND = "<command-message>";

const TASK_NOTIFICATION = "<task-notification>";

/** One notification tells of one task; several may stand in one text. */
function interpretNotification(text: string): Notice {
  const told = text.split(TASK_NOTIFICATION).filter((part) => /<status>(?:completed|failed|killed|stopped)/.test(part));
  return { kind: "finished", ids: told.map((part) => findTag(part, "task-id")).filter((id) => id !== "") };
}

function interpretNotice(text: string): Notice | undefined {
  const opening = text.trimStart();
  if (opening.startsWith(INTERRUPTION)) return { kind: "interrupted" };
  if (opening.startsWith(TASK_NOTIFICATION)) return interpretNotification(opening);
  if (!opening.startsWith(ASKING_COMMAND)) return undefined;
  const name = findTag(opening, "command-name");
  const command = name.startsWith("/") ? name : `/${name}`;
  return name === "" ? undefined : { kind: "asked", text: `${command} ${findTag(opening, "command-args")}`.trim() };
}

/** What editors, workspaces and monitors put into prompts, in tags of their own. */
const WRAPPINGS: readonly string[] = [
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "system_instruction",
  "system-instruction",
  "system-reminder",
  "ci-monitor-event",
  "github-webhook-activity",
];

function interpretPrompt(text: string): string {
  let words = text;
  for (const tag of WRAPPINGS) {
    for (let from = words.indexOf(`<${tag}>`); from >= 0; from = words.indexOf(`<${tag}>`)) {
      const end = words.indexOf(`</${tag}>`, from);
      words = words.slice(0, from) + (end < 0 ? "" : words.slice(end + tag.length + 3));
    }
  }
  return words === text ? text : words.trim();
}

/** Says the same in every session, or only that somebody waits. */
const CHATTER =
  /^(?:<system-reminder>\s*)?(?:<local-command-caveat>|Caveat: The messages below|<local-command-stdout><\/local-command-stdout>|<bash-stdout><\/bash-stdout>|Tool loaded\.|The (?:TodoWrite|task) tools? ha(?:sn't|ven't) been used|Your todo list has changed|(?:As you answer|Called the \w+ tool)|SessionStart|UserPromptSubmit hook (?:success|additional)|<command-name>\/(?:clear|compact|model|theme|login|cost|context|status|config|resume|help|exit|plugin|reload-plugins|rate-limit-options|ide|mcp|terminal-setup)\b)|"type": ?"(?:idle_notification|shutdown_request|shutdown_approved|shutdown_response|teammate_terminated)"/;
/** The client answers the start of a subagent with advice that is the same each time. */
const LAUNCHED = /^Async agent launched successfully\b[\s\S]{0,1500}?\bagentId: (\w{1,60})/;
const SKILL = /^Base directory for this skill: [^\n]*?([^\\/\n]{1,100})[\\/]?\n/;
const REPORTED: readonly string[] = ["summary", "result", "error"];

/**
 * What a text that the client wrote tells of the work: nothing where it is chatter, a subagent's report where it brings one, what a skill demands, the command
 * that the person typed. `undefined` for all else.
 */
export function interpretNote(text: string): string | undefined {
  const opening = text.trimStart();
  if (CHATTER.test(opening.slice(0, 2000))) return "";
  if (/^<(?:task|agent|bash)-notification>/.test(opening)) {
    const told = REPORTED.map((tag) => findTag(opening, tag)).filter((part) => part !== "");
    return told.length === 0 ? undefined : told.join(": ");
  }
  const [, agent = ""] = LAUNCHED.exec(opening.slice(0, 2000)) ?? [];
  if (agent !== "") return `launched as ${agent}`;
  const [head = "", skill = ""] = SKILL.exec(opening) ?? [];
  if (skill !== "") return `skill ${skill}: ${opening.slice(head.length).trim()}`;
  const name = /^<command-(?:name|message)>/.test(opening) ? findTag(opening, "command-name") : "";
  if (name !== "") return `${name.startsWith("/") ? name : `/${name}`} ${findTag(opening, "command-args")}`.trim();
  return undefined;
}

function findTag(text: string, tag: string): string {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from < 0 || to < 0 ? "" : text.slice(from + tag.length + 2, to).trim();
}
