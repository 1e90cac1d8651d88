import { parseJson } from "../../core/json.ts";

export interface Overflow {
  /** The request's size, answer included if the API counted it. */
  readonly usedTokens?: number;
  readonly maxTokens?: number;
  /** The vendor whose wording it is; others use it too. */
  readonly by: string;
}

/** Longer bodies are pages of something else. */
const MAX_CHARACTERS = 20_000;
const REQUEST_TOO_LARGE = 413;
/** Statuses about permission, existence or rate, never about size. */
const OTHER_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 408, 409, 429, 503, 529]);

/** `body` may be text or parsed. `undefined` if it does not mean overflow. */
export function parseOverflow(status: number, body: unknown): Overflow | undefined {
  if (OTHER_STATUSES.has(status) || status < 200) return undefined;
  const { text, numbers } = collectWords(body);
  // In a stream that began well an error is an event; a message that merely mentions overflow does not count.
  if (status < 400 && !/"?error"?/.test(text)) return undefined;
  const words = text.toLowerCase();
  if (LOOK_ALIKES.some((pattern) => pattern.test(words))) return undefined;
  for (const [by, { source }] of WORDINGS) {
    const pattern = source.replace(/USED|AND|MAX|OVER/g, (name) => `(?<${name}>[\\d,]+)`);
    const match = new RegExp(pattern).exec(words);
    if (match) return { by, ...countTokens({ ...match.groups }, numbers) };
  }
  return status === REQUEST_TOO_LARGE ? { by: "http" } : undefined;
}

function countTokens(
  found: Readonly<Record<string, string | undefined>>,
  numbers: ReadonlyMap<string, number>,
): Omit<Overflow, "by"> {
  const [used, and = 0, max, over] = ["USED", "AND", "MAX", "OVER"].map((name) => {
    const digits = found[name]?.replaceAll(",", "");
    return digits === undefined ? undefined : Number(digits);
  });
  const maxTokens = max ?? numbers.get("n_ctx");
  const whole = used ?? numbers.get("n_prompt_tokens");
  const beyond = over !== undefined && maxTokens !== undefined ? maxTokens + over : undefined;
  const usedTokens = whole === undefined ? beyond : whole + and;
  return { ...(usedTokens !== undefined && { usedTokens }), ...(maxTokens !== undefined && { maxTokens }) };
}

/** All texts in the body, whatever its shape: gateways wrap the error of the API behind them, often as a string. */
function collectWords(body: unknown): { readonly text: string; readonly numbers: ReadonlyMap<string, number> } {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  const visit = (value: unknown, key: string, depth: number): void => {
    if (typeof value === "string") {
      const parsed = depth < 6 ? parseWrapped(value) : undefined;
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

/** An object or a list in a text; `undefined` for plain words. */
function parseWrapped(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text) || text.length > MAX_CHARACTERS) return undefined;
  const parsed = parseJson(text);
  return typeof parsed === "object" && parsed !== null ? parsed : undefined;
}

/**
 * How each API words an overflow, in lower case, most specific first. A word in capitals is a number: USED, AND (added to it), MAX, OVER.
 * Sources: API documentation, server source code, and messages quoted in public issues; the test has an example of each.
 */
const WORDINGS: readonly (readonly [by: string, pattern: RegExp])[] = [
  ["anthropic", /prompt is too long:? USED tokens? > MAX/],
  ["anthropic", /input length and `?max_tokens`? exceed context limit: USED \+ AND > MAX/],
  ["fireworks", /prompt is too long: USED, model maximum context length: MAX/],
  ["anthropic", /prompt is too long/],
  ["anthropic", /request_too_large|request exceeds the maximum size/],
  ["bedrock", /input is too long for requested model/],
  ["bedrock", /too many input tokens\. max input tokens: MAX, request input token count: USED/],
  ["bedrock", /input tokens exceeded: number of input tokens exceeds maximum length/],
  ["gemini", /input token count \(USED\) exceeds the maximum number of tokens allowed \(MAX\)/],
  ["gemini", /input token count is USED but (?:the )?model only supports up to MAX/],
  ["gemini", /input token count exceeds the maximum number of tokens allowed/],
  ["vllm", /maximum context length is MAX tokens and your request has USED input tokens \(AND >/],
  [
    "openai",
    /maximum context length is MAX tokens[.,] ?however,? (?:your messages resulted in|you requested(?: about)?|your request has|your prompt contains(?: at least)?) USED/,
  ],
  ["sglang", /maximum context length of MAX tokens\. you requested a total of USED/],
  ["vllm", /prompt \(length USED\) is longer than the maximum model length of MAX/],
  ["sglang", /input \(USED tokens\) is longer than the model's context length \(MAX tokens\)/],
  ["cerebras", /current length is USED while limit is MAX/],
  ["llama.cpp", /request \(USED tokens\) exceeds the available context size \(MAX tokens\)/],
  ["llama.cpp", /exceeds? the available context size|exceed_context_size_error/],
  ["ollama", /prompt too long; exceeded max context length by OVER tokens/],
  ["ollama", /input length exceeds (?:the |maximum )?context length/],
  ["mistral", /prompt contains USED tokens.{0,60}too large for model with MAX maximum context length/],
  ["xai", /maximum prompt length is MAX but the request contains USED tokens/],
  ["copilot", /prompt token count of USED exceeds the limit of MAX/],
  ["kimi", /exceeded model token limit: MAX \(requested: USED\)/],
  ["minimax", /context window exceeds limit/],
  ["cohere", /total number of tokens .{0,40}cannot exceed MAX ?- ?received USED/],
  ["tgi", /`inputs` tokens \+ `max_new_tokens` must be <= MAX\. given: USED `inputs` tokens and AND/],
  ["tgi", /`inputs` must have less than MAX tokens\. given: USED/],
  ["lmstudio", /input length USED exceeds context length MAX/],
  ["lmstudio", /keep the first USED tokens when context the overflows.{0,80}context length of only MAX/],
  ["lmstudio", /greater than the context length/],
  ["dashscope", /range of input length should be \[\d+, ?MAX\]/],
  ["openai", /context_length_exceeded|input exceeds the context window|exceeds? the (?:model's )?context window/],
  ["openai", /input tokens exceed the configured limit of MAX tokens.{0,60}resulted in USED/],
  ["openai", /maximum context length is MAX/],
  ["groq", /please reduce the length of the messages or completion/],
];

/** The same words about something else: rate, daily quota, length of the answer. */
const LOOK_ALIKES: readonly RegExp[] = [
  /rate.?limit|tokens?.{0,20}per (?:minute|day|hour|second)|\b[ti]pm\b|\btpd\b|quota|too many requests|overloaded/,
  /max_(?:completion_|output_)?tokens.{0,80}(?:completion|output) tokens|maximum allowed number of output tokens/,
  /max_(?:completion_|output_)?tokens`?:? (?:must|should|cannot|input should) be/,
];
