import { clipText } from "../core/clip-text.ts";
import { redactSecrets } from "./redact-secrets.ts";

const FIRST_LINES = 10;

/** The first ten lines and dots: the plain form, for whoever wants the same preview of everything. */
export function classicPreview(text: string, maxCharacters: number): string {
  const lines = text.split("\n", FIRST_LINES + 1);
  const isWhole = lines.length <= FIRST_LINES;
  const safe = redactSecrets(lines.slice(0, FIRST_LINES).join("\n"));
  const dots = isWhole ? "" : "\n...";
  return clipText(safe, Math.max(0, maxCharacters - dots.length)) + dots;
}
