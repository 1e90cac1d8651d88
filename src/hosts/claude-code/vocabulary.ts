import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Notice, Vocabulary } from "../../session/action.ts";
import { interpretCall } from "./interpret-call.ts";
import { findTag, interpretNote, unwrapNotifications } from "./interpret-note.ts";
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
  const notifications = unwrapNotifications(opening);
  if (notifications?.startsWith(TASK_NOTIFICATION)) return interpretNotification(notifications);
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
