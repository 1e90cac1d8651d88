import type { Author } from "../../core/message.ts";

/** What the client puts into the person's role: instructions, surroundings, notices, the marks around a picture. */
const HOST_TEXT =
  /^\s{0,9}(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|skill|user_shell_command|subagent_notification|image|\/image|codex_internal_context|hook_prompt)\b)/;

export function decidePromptAuthor(text: string): Author {
  return HOST_TEXT.test(text) ? "host" : "person";
}

/** A label for such a text: its leading tag. */
export function labelText(text: string): string {
  if (/^\s{0,9}# AGENTS\.md/.test(text)) return "instructions";
  return /^\s{0,9}<([\w-]{1,40})/.exec(text)?.[1] ?? "note";
}
