import { LOOK_ALIKES, WORDINGS } from "./wordings.ts";

/** An API's answer that a request does not fit its model's window. */
export interface Overflow {
  /** What the request would have taken, answer included where the API counted it in. */
  readonly usedTokens?: number;
  readonly maxTokens?: number;
  /** Whose wording it is; others use it too. */
  readonly by: string;
}

/** Longer answers are pages of something else. */
const MAX_CHARACTERS = 20_000;
const REQUEST_TOO_LARGE = 413;
/** Answers that say who may ask, what exists, and how often: never how much. */
const OTHER_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 408, 409, 429, 503, 529]);

/** Whether an API's answer means overflow; `body` may be its text, or parsed. Anything else is `undefined`. */
export function parseOverflow(status: number, body: unknown): Overflow | undefined {
  if (OTHER_STATUSES.has(status) || status < 200) return undefined;
  const { text, numbers } = collectWords(body);
  // Inside a stream that began well an error is an event; a message that merely speaks of overflow is none.
  if (status < 400 && !/"?error"?/.test(text)) return undefined;
  const words = text.toLowerCase();
  if (LOOK_ALIKES.some((pattern) => pattern.test(words))) return undefined;
  for (const { by, pattern } of WORDINGS) {
    const groups = pattern.exec(words);
    if (groups) return createOverflow(by, { ...groups.groups }, numbers);
  }
  return status === REQUEST_TOO_LARGE ? { by: "http" } : undefined;
}

function createOverflow(
  by: string,
  groups: Readonly<Record<string, string | undefined>>,
  numbers: ReadonlyMap<string, number>,
): Overflow {
  const max = parseCount(groups.max) ?? numbers.get("n_ctx");
  const over = parseCount(groups.over);
  const used = parseCount(groups.used) ?? numbers.get("n_prompt_tokens");
  const whole = used === undefined ? undefined : used + (parseCount(groups.and) ?? 0);
  const told = whole ?? (over !== undefined && max !== undefined ? max + over : undefined);
  return { ...(told === undefined ? {} : { usedTokens: told }), ...(max === undefined ? {} : { maxTokens: max }), by };
}

function parseCount(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits.replaceAll(",", ""));
}

interface Words {
  readonly text: string;
  readonly numbers: ReadonlyMap<string, number>;
}

/** All that the body says, whatever its shape: gateways wrap the error of the API behind them, often as a string. */
function collectWords(body: unknown): Words {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  const visit = (value: unknown, key: string, depth: number): void => {
    if (typeof value === "string") {
      const parsed = depth < 6 ? parseObject(value) : undefined;
      if (parsed) visit(parsed, key, depth + 1);
      else texts.push(value.slice(0, MAX_CHARACTERS));
    } else if (typeof value === "number") numbers.set(key, value);
    else if (typeof value === "object" && value !== null && depth < 6)
      for (const [name, inner] of Object.entries(value).slice(0, 50)) {
        if (name === "error") texts.push("error");
        visit(inner, name, depth + 1);
      }
  };
  visit(body, "", 0);
  return { text: texts.join("\n").slice(0, MAX_CHARACTERS), numbers };
}

function parseObject(text: string): object | undefined {
  const opening = text.trimStart().slice(0, 1);
  if ((opening !== "{" && opening !== "[") || text.length > MAX_CHARACTERS) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
