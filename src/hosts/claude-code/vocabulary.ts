import type { CallVocabulary, NoteMeaning } from "../../layers/history/vocabulary.ts";
import type { Notice, Vocabulary } from "../../session/action.ts";
import { interpretCall } from "./interpret-call.ts";
import { interpretOrphan, interpretResult } from "./interpret-result.ts";

/** Texts that are the same in every session, or only say that something waits. */
const CHATTER =
  /^(?:<system-reminder>\s*)?(?:<local-command-caveat>|Caveat: The messages below|<local-command-stdout>(?:Compacted by Plimsoll[^<]{0,200})?<\/local-command-stdout>|You are powered by the model |<bash-stdout><\/bash-stdout>|Tool loaded\.|The (?:TodoWrite|task) tools? ha(?:sn't|ven't) been used|Your todo list has changed|(?:As you answer|Called the \w+ tool)|SessionStart|UserPromptSubmit hook (?:success|additional)|<command-name>\/(?:clear|compact|model|theme|login|cost|context|status|config|resume|help|exit|plugin|reload-plugins|rate-limit-options|ide|mcp|terminal-setup)\b)|"type": ?"(?:idle_notification|shutdown_request|shutdown_approved|shutdown_response|teammate_terminated)"/;
/** The client answers the start of a subagent with advice that is the same each time. */
const LAUNCHED = /^Async agent launched successfully\b[\s\S]{0,1500}?\bagentId: (\w{1,60})/;
const SKILL = /^Base directory for this skill: [^\n]*?([^\\/\n]{1,100})[\\/]?\n/;
/** The client's addition to a subagent's report: how to continue it, and what it used. */
const AGENT_FOOTER = /\n?agentId: \w{1,60} \([^\n]{0,300}\)(?:\n<usage>[\s\S]{0,400}<\/usage>)?\s*$/;
/** The client's frame around a report, and its notes above it; the client indents every line of the report. */
const REPORT_FRAME = /^(?:[ \t][^\n]*\n){0,40}\[Subagent hand-back\] [^\n]{0,1000}The report follows:\n/;
const NOTIFICATION = /<((?:task|agent|bash)-notification)>([\s\S]*?)(?:<\/\1>|$)/g;
/** A member of a team writes to the one who leads it. */
const TEAMMATE =
  /^<teammate-message\b[^>\n]{0,200}?\bteammate_id="([^"\n]{1,60})"[^>\n]{0,200}>\n?([\s\S]*?)(?:<\/teammate-message>|$)/;

/** What a text of the client says about the work: nothing for chatter; `undefined` if it is not known to be the client's. */
export function interpretNote(text: string): NoteMeaning | undefined {
  const opening = text.trimStart();
  const notifications = unwrapNotifications(opening);
  if (notifications !== undefined) return interpretNotifications(notifications);
  if (CHATTER.test(opening.slice(0, 2000))) return { text: "", isReport: false };
  const [, sender = "", message = ""] = TEAMMATE.exec(opening) ?? [];
  if (sender !== "") return { text: `${sender}: ${message.trim()}`, isReport: true };
  if (opening.startsWith("<retrieval_status>")) return interpretOutput(opening);
  const name = nameLaunched(opening) ?? nameSkill(opening) ?? nameCommand(opening);
  if (name !== undefined) return { text: name, isReport: false };
  const report = unframeReport(text);
  return report === text ? undefined : { text: report.trim(), isReport: true };
}

function unframeReport(text: string): string {
  // Most texts have no footer, and the pattern would be tried at every character of them.
  const report = text.includes("agentId: ") ? text.replace(AGENT_FOOTER, "") : text;
  const [frame = ""] = (report.includes("[Subagent hand-back] ") && REPORT_FRAME.exec(report)) || [];
  return frame === "" ? report : report.slice(frame.length).replace(/^ {2}/gm, "");
}

/** The notifications of background tasks, which the client may wrap into a reminder; `undefined` if a text has none. */
function unwrapNotifications(text: string): string | undefined {
  if (/^<(?:task|agent|bash)-notification>/.test(text)) return text;
  if (!/^(?:<system-reminder>\s*)?\[SYSTEM NOTIFICATION\b/.test(text)) return undefined;
  const at = text.slice(0, 3000).search(/<(?:task|agent|bash)-notification>/);
  return at < 0 ? undefined : text.slice(at);
}

/** Several may be in one text. Only an agent brings a result; for a command the client says how it ended. */
function interpretNotifications(text: string): NoteMeaning | undefined {
  const bodies = [...text.matchAll(NOTIFICATION)].map(([, , body = ""]) => body);
  const found = bodies.map((body) => joinTags(body, "summary", "result", "error")).filter((part) => part !== "");
  const isReport = bodies.some((body) => findTag(body, "result") !== "");
  return found.length === 0 ? undefined : { text: found.join("\n"), isReport };
}

/** The output so far of a background task, requested by a call. */
function interpretOutput(text: string): NoteMeaning {
  const isReport = findTag(text, "task_type") === "local_agent" && findTag(text, "output") !== "";
  return { text: joinTags(text, "status", "output", "error"), isReport };
}

function nameLaunched(opening: string): string | undefined {
  const [, agent] = LAUNCHED.exec(opening.slice(0, 2000)) ?? [];
  return agent === undefined ? undefined : `launched as ${agent}`;
}

function nameSkill(opening: string): string | undefined {
  const [head = "", skill] = SKILL.exec(opening) ?? [];
  return skill === undefined ? undefined : `skill ${skill}: ${opening.slice(head.length).trim()}`;
}

function nameCommand(opening: string): string | undefined {
  const name = /^<command-(?:name|message)>/.test(opening) ? findTag(opening, "command-name") : "";
  if (name === "") return undefined;
  return `${name.startsWith("/") ? name : `/${name}`} ${findTag(opening, "command-args")}`.trim();
}

function joinTags(text: string, ...tags: readonly string[]): string {
  const parts = tags.map((tag) => findTag(text, tag));
  return parts.filter((part) => part !== "").join(": ");
}

function findTag(text: string, tag: string): string {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from < 0 || to < 0 ? "" : text.slice(from + tag.length + 2, to).trim();
}

/** The meaning of the client's tools. MCP servers that mirror the client's own tools are read as those. */
export const claudeCodeVocabulary: Vocabulary & CallVocabulary = {
  interpretCall,
  interpretResult,
  interpretOrphan,
  interpretPrompt,
  interpretNotice,
  interpretNote,
  dropAdded,
  isBoilerplate: (label) => BOILERPLATE.has(label),
};

/** Tools that change nothing and have no further meaning for a session. */
export function onlyLooks(tool: string): boolean {
  return /^(?:ToolSearch|Skill|TaskGet|TaskOutput|BashOutput|WebSearch)$/.test(tool);
}

const BOILERPLATE = new Set(
  `agent_listing_delta date deferred_tools_delta environment mcp_instructions_delta model prompt_snapshot
   remote_session_change session_context skill_listing task_reminder todo_reminder total_tokens_reminder`.split(/\s+/),
);

const INTERRUPTION = "[Request interrupted by user";
const HOOK_FEEDBACK = "Stop hook feedback:";
/** Commands that ask the model begin with their message, those that the client answers itself with their name. */
const ASKING_COMMAND = "<command-message>";

const TASK_NOTIFICATION = "<task-notification>";

function interpretNotice(notification: string): Notice | undefined {
  const opening = notification.trimStart();
  if (opening.startsWith(INTERRUPTION)) return { kind: "interrupted" };
  const notifications = unwrapNotifications(opening);
  if (notifications?.startsWith(TASK_NOTIFICATION)) {
    // One notification is about one task; several may be in one text.
    const parts = notifications.split(TASK_NOTIFICATION);
    const ended = parts.filter((part) => /<status>(?:completed|failed|killed|stopped)/.test(part));
    const ids = ended.map((part) => findTag(part, "task-id")).filter((id) => id !== "");
    return { kind: "finished", ids, text: interpretNotifications(notifications)?.text ?? "" };
  }
  if (opening.startsWith(HOOK_FEEDBACK)) return { kind: "reopened", text: opening.slice(HOOK_FEEDBACK.length).trim() };
  const text = opening.startsWith(ASKING_COMMAND) ? nameCommand(opening) : undefined;
  return text === undefined ? undefined : { kind: "asked", text };
}

function dropAdded(text: string): string {
  const own = text.trimEnd().endsWith("</system-reminder>")
    ? text.slice(0, text.lastIndexOf("<system-reminder>"))
    : text;
  return (own === text ? text : own.trimEnd()).replace(/\nShell cwd was reset to [^\n]*$/, "");
}

/** What editors, workspaces and monitors put into prompts, in tags of their own. */
const WRAPPINGS: readonly string[] =
  `ide_opened_file ide_selection ide_diagnostics system_instruction system-instruction system-reminder
  ci-monitor-event github-webhook-activity`.split(/\s+/);

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
