import { redactSecrets } from "../../fold/redact-secrets.ts";

/** What is packed for another model. */
export interface Bundle {
  readonly system: string;
  readonly user: string;
  readonly files: readonly BundleFile[];
}

export interface BundleFile {
  readonly path: string;
  readonly text: string;
}

const TRUNCATED = "... [truncated]";

/** The bundle as one text: the two prompts, then every file under its heading. */
export function renderBundle({ system, user, files }: Bundle): string {
  return [
    `[SYSTEM] ${system}`,
    `[USER] ${user}`,
    ...files.map(({ path, text }, index) => `### File ${index + 1}: ${path}\n${text}`),
  ].join("\n");
}

/** At most so many characters, the mark included where something was cut; no half of a character is left. */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(0, Math.max(0, maxChars - TRUNCATED.length)).replace(/[\ud800-\udbff]$/, "");
  return `${kept}${TRUNCATED}`.slice(0, maxChars);
}

/** As it would be sent: without what looks like a credential, in the prompts or in the files. */
export function redactBundle({ system, user, files }: Bundle): Bundle {
  return {
    system: redactSecrets(system),
    user: redactSecrets(user),
    files: files.map(({ path, text }) => ({ path, text: redactSecrets(text) })),
  };
}
