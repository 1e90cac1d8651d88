import type { Line } from "./recording.ts";

/** One recorded transcript, as the README's tables show it. */
export interface FixtureEntry {
  readonly file: string;
  readonly bytes: number;
  readonly shows: string;
  readonly transcript: string;
}

/** Renders the README of the fixtures from what lies on the disk, so that it cannot fall behind. */
export function renderReadme(entries: readonly FixtureEntry[]): string {
  const made = entries.map(
    (entry) => `| \`${entry.file}\` | ${versionOf(entry)} | ${kilobytes(entry)} KB | ${entry.shows} |`,
  );
  const types = entries.map((entry) => `| \`${entry.file}\` | ${renderTypes(entry.transcript)} |`);
  return `${HEAD}
## What each file shows

| file | client | size | shows |
|---|---|---|---|
${made.join("\n")}

## Line types

A name after a colon is the line's subtype or attachment type; a number is how often it occurs.

| file | line types |
|---|---|
${types.join("\n")}
`;
}

const HEAD = `# Recorded sessions of Claude Code

Written by \`npm run record\`; this file too. Do not edit by hand: change the recording in \`test/record/scenarios/\` and record again.

Every transcript was written by the real client, run headless with an empty environment, a HOME of its own and a made-up key
against the scripted API in \`test/api/\`, on loopback. The model's words and the errors are scripted; everything else
(tool results, attachments, compaction, order and shape of the lines) is the client's own. Token counts are what the scripted API reported: a
simulation of the prompt cache at 3.2 characters per token, or numbers that a recording sets to bring something about.
No model was asked, so nothing here says what a real API accepts.

What was changed afterwards:

- Places: the HOME is \`/home/dev\`, the project \`/home/dev/demo\`; host name and kernel version are neutral.
- The vendor's own texts (system prompt, tool descriptions, reminders, the compaction prompt) are cut where they are longer than 300 characters: the
  first 80 stay, then \`…[cut by record]\`. In tool schemas each parameter keeps its name and type. So the hashes of \`api-request*\` lines fit
  the original requests and not the texts here.
- No line and no line type was removed. User, assistant and tool texts are whole. Timestamps and ids are the recorded ones.
- Where a file was changed by hand beyond this, its row says **by hand**.

Beside a transcript, a folder of the same name holds what the client keeps beside it: \`subagents/\`, \`tool-results/\`, and \`tasks/\`
(which the client keeps under \`~/.claude/tasks/\`). \`samples/demo-session.jsonl\` is recorded in the same way, with its timestamps stretched and
without the client's copies of its requests.
`;

function versionOf(entry: FixtureEntry): string {
  return entry.file.split("/")[0] ?? "";
}

function kilobytes(entry: FixtureEntry): string {
  return (entry.bytes / 1024).toFixed(1);
}

function renderTypes(transcript: string): string {
  const counts = new Map<string, number>();
  for (const text of transcript.split("\n").filter((line) => line !== "")) {
    const name = nameOf(text);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts.entries()]
    .sort(([a], [b]) => a.localeCompare(b, "en"))
    .map(([name, count]) => (count === 1 ? name : `${name} ${count}`))
    .join(", ");
}

function nameOf(text: string): string {
  let line: Line;
  try {
    line = JSON.parse(text);
  } catch {
    return "a line that is cut";
  }
  const attachment = line.attachment as Line | undefined;
  const detail = line.subtype ?? attachment?.type;
  return detail === undefined ? String(line.type) : `${line.type}:${detail}`;
}
