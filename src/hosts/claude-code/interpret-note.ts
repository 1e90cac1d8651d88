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

export function findTag(text: string, tag: string): string {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from < 0 || to < 0 ? "" : text.slice(from + tag.length + 2, to).trim();
}
