/** A result in the window, as far as a person can name it. */
export interface ResultInWindow {
  readonly callId: string;
  readonly tool: string;
  /** What the call was about: its file, command or pattern. */
  readonly subject: string;
  readonly text: string;
  readonly tokens: number;
  /** `undefined` if unknown. */
  readonly atMs: number | undefined;
}

interface ResultChoice {
  readonly by: "file" | "tool" | "search" | "last";
  readonly value: string;
}

const CHOICE = /^\s*(file|tool|search|last):\s*(\S[\s\S]*)$/i;
const SPAN = /^(\d{1,4})\s*(m|min|minutes|h|hours)$/i;
const SPANS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

export const HOW_TO_CHOOSE = "file:PATH, tool:NAME, search:WORDS or last:30m";

/** What a person's words choose; `undefined` if they name no kind of choice. */
export function parseChoice(words: string): ResultChoice | undefined {
  const [, by = "", value = ""] = CHOICE.exec(words) ?? [];
  const kind = (["file", "tool", "search", "last"] as const).find((name) => name === by.toLowerCase());
  return kind && { by: kind, value: value.trim() };
}

/** The results that a choice names; a sentence if it cannot be understood. */
export function chooseResults(
  results: readonly ResultInWindow[],
  { by, value }: ResultChoice,
  nowMs: number,
): readonly ResultInWindow[] | string {
  const wanted = value.toLowerCase();
  if (by === "tool") return results.filter(({ tool }) => tool.toLowerCase() === wanted);
  if (by === "file") return results.filter(({ subject }) => subject.toLowerCase().includes(wanted));
  if (by === "search")
    return results.filter(({ subject, text }) => `${subject}\n${text}`.toLowerCase().includes(wanted));
  const [, count = "", unit = ""] = SPAN.exec(value) ?? [];
  const spanMs = Number(count) * (SPANS_MS[unit.slice(0, 1).toLowerCase()] ?? Number.NaN);
  if (count === "" || Number.isNaN(spanMs)) return "write a time such as last:30m or last:2h";
  return results.filter(({ atMs }) => atMs !== undefined && nowMs - atMs <= spanMs);
}
