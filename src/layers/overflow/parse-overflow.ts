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

/** All texts in the body, whatever its shape: gateways wrap the error of the API behind them, often as a string. */
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

/** How one API words an overflow. Groups: `used`, `and` (added to it), `max`, `over`. */
interface Wording {
  readonly by: string;
  readonly pattern: RegExp;
}

/**
 * In lower case, most specific first. Sources: API documentation, server source code, and messages quoted in public issues; the test has an
 * example of each.
 */
const WORDINGS: readonly Wording[] = [
  { by: "anthropic", pattern: /prompt is too long:? (?<used>[\d,]+) tokens? > (?<max>[\d,]+)/ },
  {
    by: "anthropic",
    pattern: /input length and `?max_tokens`? exceed context limit: (?<used>[\d,]+) \+ (?<and>[\d,]+) > (?<max>[\d,]+)/,
  },
  { by: "fireworks", pattern: /prompt is too long: (?<used>[\d,]+), model maximum context length: (?<max>[\d,]+)/ },
  { by: "anthropic", pattern: /prompt is too long/ },
  { by: "anthropic", pattern: /request_too_large|request exceeds the maximum size/ },
  { by: "bedrock", pattern: /input is too long for requested model/ },
  {
    by: "bedrock",
    pattern: /too many input tokens\. max input tokens: (?<max>[\d,]+), request input token count: (?<used>[\d,]+)/,
  },
  { by: "bedrock", pattern: /input tokens exceeded: number of input tokens exceeds maximum length/ },
  {
    by: "gemini",
    pattern: /input token count \((?<used>[\d,]+)\) exceeds the maximum number of tokens allowed \((?<max>[\d,]+)\)/,
  },
  {
    by: "gemini",
    pattern: /input token count is (?<used>[\d,]+) but (?:the )?model only supports up to (?<max>[\d,]+)/,
  },
  { by: "gemini", pattern: /input token count exceeds the maximum number of tokens allowed/ },
  {
    by: "vllm",
    pattern:
      /maximum context length is (?<max>[\d,]+) tokens and your request has (?<used>[\d,]+) input tokens \((?<and>[\d,]+) >/,
  },
  {
    by: "openai",
    pattern:
      /maximum context length is (?<max>[\d,]+) tokens[.,] ?however,? (?:your messages resulted in|you requested(?: about)?|your request has|your prompt contains(?: at least)?) (?<used>[\d,]+)/,
  },
  {
    by: "sglang",
    pattern: /maximum context length of (?<max>[\d,]+) tokens\. you requested a total of (?<used>[\d,]+)/,
  },
  {
    by: "vllm",
    pattern: /prompt \(length (?<used>[\d,]+)\) is longer than the maximum model length of (?<max>[\d,]+)/,
  },
  {
    by: "sglang",
    pattern: /input \((?<used>[\d,]+) tokens\) is longer than the model's context length \((?<max>[\d,]+) tokens\)/,
  },
  { by: "cerebras", pattern: /current length is (?<used>[\d,]+) while limit is (?<max>[\d,]+)/ },
  {
    by: "llama.cpp",
    pattern: /request \((?<used>[\d,]+) tokens\) exceeds the available context size \((?<max>[\d,]+) tokens\)/,
  },
  { by: "llama.cpp", pattern: /exceeds? the available context size|exceed_context_size_error/ },
  { by: "ollama", pattern: /prompt too long; exceeded max context length by (?<over>[\d,]+) tokens/ },
  { by: "ollama", pattern: /input length exceeds (?:the |maximum )?context length/ },
  {
    by: "mistral",
    pattern:
      /prompt contains (?<used>[\d,]+) tokens.{0,60}too large for model with (?<max>[\d,]+) maximum context length/,
  },
  { by: "xai", pattern: /maximum prompt length is (?<max>[\d,]+) but the request contains (?<used>[\d,]+) tokens/ },
  { by: "copilot", pattern: /prompt token count of (?<used>[\d,]+) exceeds the limit of (?<max>[\d,]+)/ },
  { by: "kimi", pattern: /exceeded model token limit: (?<max>[\d,]+) \(requested: (?<used>[\d,]+)\)/ },
  { by: "minimax", pattern: /context window exceeds limit/ },
  {
    by: "cohere",
    pattern: /total number of tokens .{0,40}cannot exceed (?<max>[\d,]+) ?- ?received (?<used>[\d,]+)/,
  },
  {
    by: "tgi",
    pattern:
      /`inputs` tokens \+ `max_new_tokens` must be <= (?<max>[\d,]+)\. given: (?<used>[\d,]+) `inputs` tokens and (?<and>[\d,]+)/,
  },
  { by: "tgi", pattern: /`inputs` must have less than (?<max>[\d,]+) tokens\. given: (?<used>[\d,]+)/ },
  { by: "lmstudio", pattern: /input length (?<used>[\d,]+) exceeds context length (?<max>[\d,]+)/ },
  {
    by: "lmstudio",
    pattern:
      /keep the first (?<used>[\d,]+) tokens when context the overflows.{0,80}context length of only (?<max>[\d,]+)/,
  },
  { by: "lmstudio", pattern: /greater than the context length/ },
  { by: "dashscope", pattern: /range of input length should be \[\d+, ?(?<max>[\d,]+)\]/ },
  {
    by: "openai",
    pattern: /context_length_exceeded|input exceeds the context window|exceeds? the (?:model's )?context window/,
  },
  {
    by: "openai",
    pattern: /input tokens exceed the configured limit of (?<max>[\d,]+) tokens.{0,60}resulted in (?<used>[\d,]+)/,
  },
  { by: "openai", pattern: /maximum context length is (?<max>[\d,]+)/ },
  { by: "groq", pattern: /please reduce the length of the messages or completion/ },
];

/** The same words about something else: rate, daily quota, length of the answer. */
const LOOK_ALIKES: readonly RegExp[] = [
  /rate.?limit|tokens?.{0,20}per (?:minute|day|hour|second)|\b[ti]pm\b|\btpd\b|quota|too many requests|overloaded/,
  /max_(?:completion_|output_)?tokens.{0,80}(?:completion|output) tokens|maximum allowed number of output tokens/,
  /max_(?:completion_|output_)?tokens`?:? (?:must|should|cannot|input should) be/,
];
