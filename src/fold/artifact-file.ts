import { clipText } from "../core/clip-text.ts";
import { redactSecrets } from "./redact-secrets.ts";

/** A stored output as a file that a person or a reading tool can open. */
export interface ArtifactFile {
  readonly tool: string;
  /** ISO 8601. */
  readonly generated: string;
  /** The call on one line. */
  readonly command: string;
  /** The output, byte for byte. */
  readonly output: string;
}

const MAX_COMMAND = 1000;
/** Lines before the output: line 1 of it is line 5 of the file. */
export const ARTIFACT_HEADER_LINES = 4;

/** Secrets are redacted in the command, which is our own text about the output; the output itself is never changed. */
export function renderArtifactFile({ tool, generated, command, output }: ArtifactFile): string {
  return [
    `# Artifact: ${joinLines(tool)} output`,
    `Generated: ${joinLines(generated)}`,
    `Command: ${clipText(redactSecrets(joinLines(command)), MAX_COMMAND)}`,
    "",
    output,
  ].join("\n");
}

const MAX_NAME = 48;

/** `artifact-2026-01-02T03-04-05-678Z-Bash.md`; `copy` distinguishes files stored in the same millisecond. */
export function nameArtifactFile(generated: string, tool: string, copy = 1): string {
  const moment = generated.replace(/[^0-9A-Za-z]+/g, "-").replace(/-+$/, "");
  const name = tool
    .replace(/[^0-9A-Za-z_]+/g, "-")
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, "");
  return `artifact-${moment}-${name === "" ? "tool" : name}${copy > 1 ? `-${copy}` : ""}.md`;
}

function joinLines(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ⏎ ")
    .trim();
}
