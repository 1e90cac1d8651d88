import { redactSecrets } from "../../fold/redact-secrets.ts";

/** Hard limits for a sent bundle, whatever the preview said: the preview is an estimate, this is a count. */
export interface DispatchCaps {
  readonly maxBundleChars: number;
  readonly maxFiles: number;
  readonly maxFileChars: number;
  readonly maxUserChars: number;
}

export const DISPATCH_CAPS: DispatchCaps = {
  maxBundleChars: 400_000,
  maxFiles: 12,
  maxFileChars: 4000,
  maxUserChars: 2000,
};

export interface CappedBundle {
  /** What may be sent; `undefined` if it is too long even without files. */
  readonly text: string | undefined;
  readonly chars: number;
  readonly fileCount: number;
  readonly isUserTruncated: boolean;
  /** Paths of files that were cut, and of files without room: nothing is dropped silently. */
  readonly truncated: readonly string[];
  readonly dropped: readonly string[];
}

export function applyDispatchCaps(bundle: Bundle, caps: Partial<DispatchCaps> = {}): CappedBundle {
  const limits = { ...DISPATCH_CAPS, ...caps };
  for (const [name, value] of Object.entries(limits))
    if (!(Number(value) >= 0))
      throw new TypeError(`${name} takes a number of at least 0, not ${value}: leave it out for the default`);
  // Redact before cutting, so that no half of a key slips through.
  const whole = redactBundle(bundle);
  const user = truncateText(whole.user, limits.maxUserChars);
  const files = whole.files.map(({ path, text }) => ({ path, text: truncateText(text, limits.maxFileChars) }));
  let kept = files.slice(0, limits.maxFiles);
  const render = (): string => renderBundle({ system: whole.system, user, files: kept });
  let text = render();
  while (text.length > limits.maxBundleChars && kept.length > 0) {
    kept = kept.slice(0, -1);
    text = render();
  }
  return {
    text: text.length > limits.maxBundleChars ? undefined : text,
    chars: text.length,
    fileCount: kept.length,
    isUserTruncated: user !== whole.user,
    truncated: kept.filter((file, index) => file.text !== whole.files[index]?.text).map(({ path }) => path),
    dropped: files.slice(kept.length).map(({ path }) => path),
  };
}

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

/** Cuts to so many characters, the mark included. No character is split. */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(0, Math.max(0, maxChars - TRUNCATED.length)).replace(/[\ud800-\udbff]$/, "");
  return `${kept}${TRUNCATED}`.slice(0, maxChars);
}

/** The bundle as sent, with anything that looks like a credential removed from prompts and files. */
export function redactBundle({ system, user, files }: Bundle): Bundle {
  return {
    system: redactSecrets(system),
    user: redactSecrets(user),
    files: files.map(({ path, text }) => ({ path, text: redactSecrets(text) })),
  };
}
