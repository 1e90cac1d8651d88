/** If red: a request that was too long is not recognised, or another error is taken for that. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseOverflow } from "./parse-overflow.ts";

const error = (message: string, more: object = {}): object => ({ error: { message, ...more } });

const OVERFLOWS: readonly (readonly [name: string, status: number, body: unknown, expected: object])[] = [
  [
    "Anthropic",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 208310 tokens > 200000 maximum" },
    },
    { by: "anthropic", usedTokens: 208_310, maxTokens: 200_000 },
  ],
  ["Anthropic, bare", 400, "prompt is too long", { by: "anthropic" }],
  [
    "Anthropic, with the answer",
    400,
    error(
      "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
    ),
    { by: "anthropic", usedTokens: 209_573, maxTokens: 200_000 },
  ],
  [
    "Anthropic, bytes",
    413,
    { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
    { by: "anthropic" },
  ],
  ["a proxy, bytes", 413, "<html>413 Request Entity Too Large</html>", { by: "http" }],
  ["Bedrock", 400, { message: "Input is too long for requested model." }, { by: "bedrock" }],
  [
    "Bedrock, wrapped",
    400,
    { message: "The model returned the following errors: Input is too long for requested model." },
    { by: "bedrock" },
  ],
  [
    "Bedrock, Titan",
    400,
    { message: "400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9000 " },
    { by: "bedrock", usedTokens: 9000, maxTokens: 8192 },
  ],
  [
    "Gemini",
    400,
    error("The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).", {
      status: "INVALID_ARGUMENT",
    }),
    { by: "gemini", usedTokens: 1_196_265, maxTokens: 1_048_575 },
  ],
  [
    "Vertex",
    400,
    error(
      "Unable to submit request because the input token count is 33000 but the model only supports up to 32768. Reduce the input token count and try again.",
    ),
    { by: "gemini", usedTokens: 33_000, maxTokens: 32_768 },
  ],
  [
    "OpenAI",
    400,
    error(
      "This model's maximum context length is 4097 tokens. However, your messages resulted in 4294 tokens. Please reduce the length of the messages.",
      { code: "context_length_exceeded" },
    ),
    { by: "openai", usedTokens: 4294, maxTokens: 4097 },
  ],
  [
    "OpenAI, comma",
    400,
    error(
      "This model's maximum context length is 8191 tokens, however you requested 10346 tokens (10346 in your prompt; 5 for the completion).",
    ),
    { by: "openai", usedTokens: 10_346, maxTokens: 8191 },
  ],
  [
    "OpenAI Responses",
    400,
    error("Your input exceeds the context window of this model. Please adjust your input and try again.", {
      code: "context_length_exceeded",
    }),
    { by: "openai" },
  ],
  [
    "Azure",
    400,
    error(
      "This model's maximum context length is 128000 tokens. However, you requested 130000 tokens (126000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
      { code: "context_length_exceeded" },
    ),
    { by: "openai", usedTokens: 130_000, maxTokens: 128_000 },
  ],
  [
    "OpenRouter",
    400,
    error(
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).",
    ),
    { by: "openai", usedTokens: 42_832, maxTokens: 32_768 },
  ],
  [
    "a gateway that quotes",
    400,
    {
      status: "failure",
      message: JSON.stringify(
        error("This model's maximum context length is 8192 tokens. However, you requested 8246 tokens"),
      ),
    },
    { by: "openai", usedTokens: 8246, maxTokens: 8192 },
  ],
  [
    "vLLM",
    400,
    {
      object: "error",
      message:
        "This model's maximum context length is 40960 tokens. However, your request has 91714 input tokens. Please reduce the length of the input messages.",
    },
    { by: "openai", usedTokens: 91_714, maxTokens: 40_960 },
  ],
  [
    "vLLM, decoder",
    400,
    {
      message:
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    },
    { by: "vllm", usedTokens: 5000, maxTokens: 4096 },
  ],
  [
    "vLLM, with the answer",
    400,
    {
      message:
        "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 3000 input tokens (5000 > 4096 - 3000).",
    },
    { by: "vllm", usedTokens: 8000, maxTokens: 4096 },
  ],
  [
    "SGLang",
    400,
    { message: "The input (5000 tokens) is longer than the model's context length (4096 tokens)." },
    { by: "sglang", usedTokens: 5000, maxTokens: 4096 },
  ],
  [
    "llama.cpp",
    400,
    error("the request exceeds the available context size, try increasing it", {
      type: "exceed_context_size_error",
      n_prompt_tokens: 5000,
      n_ctx: 4096,
    }),
    { by: "llama.cpp", usedTokens: 5000, maxTokens: 4096 },
  ],
  [
    "llama.cpp, newer",
    400,
    error("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it"),
    { by: "llama.cpp", usedTokens: 5000, maxTokens: 4096 },
  ],
  ["Ollama", 400, { error: "prompt too long; exceeded max context length by 123 tokens" }, { by: "ollama" }],
  ["Ollama, embedding", 500, { error: "the input length exceeds the context length" }, { by: "ollama" }],
  [
    "LM Studio",
    400,
    {
      error:
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    },
    { by: "lmstudio", usedTokens: 5000, maxTokens: 4096 },
  ],
  [
    "Mistral",
    400,
    {
      object: "error",
      message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    },
    { by: "mistral", usedTokens: 40_000, maxTokens: 32_768 },
  ],
  [
    "Groq",
    400,
    error("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
    { by: "openai" },
  ],
  [
    "Cerebras",
    400,
    {
      message: "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
      code: "context_length_exceeded",
    },
    { by: "cerebras", usedTokens: 9000, maxTokens: 8192 },
  ],
  [
    "xAI",
    400,
    { error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
    { by: "xai", usedTokens: 537_812, maxTokens: 131_072 },
  ],
  [
    "Copilot",
    400,
    error("prompt token count of 70000 exceeds the limit of 64000", { code: "model_max_prompt_tokens_exceeded" }),
    { by: "copilot", usedTokens: 70_000, maxTokens: 64_000 },
  ],
  [
    "Kimi",
    400,
    error("Your request exceeded model token limit: 262144 (requested: 300000)"),
    { by: "kimi", usedTokens: 300_000, maxTokens: 262_144 },
  ],
  ["MiniMax", 400, error("invalid params, context window exceeds limit (2013)"), { by: "minimax" }],
  [
    "Cohere",
    400,
    {
      message:
        "too many tokens: total number of tokens (prompt and prediction) cannot exceed 4096 - received 5000. Try using a shorter prompt",
    },
    { by: "cohere", usedTokens: 5000, maxTokens: 4096 },
  ],
  [
    "Text Generation Inference",
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 512 `max_new_tokens`",
    },
    { by: "tgi", usedTokens: 5512, maxTokens: 4097 },
  ],
  [
    "Fireworks",
    400,
    error("The prompt is too long: 140000, model maximum context length: 131071"),
    { by: "fireworks", usedTokens: 140_000, maxTokens: 131_071 },
  ],
  ["DashScope", 400, { message: "Range of input length should be [1, 30720]" }, { by: "dashscope", maxTokens: 30_720 }],
  [
    "an event in a stream",
    200,
    'event: error\ndata: {"type":"error","error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
    { by: "anthropic", usedTokens: 210_000, maxTokens: 200_000 },
  ],
];

const OTHERS: readonly (readonly [name: string, status: number, body: unknown])[] = [
  [
    "a rate limit",
    429,
    error("This request would exceed your organization's rate limit of 40,000 input tokens per minute"),
  ],
  [
    "too many tokens a minute, without its status",
    400,
    error("Too many tokens per minute, please wait before trying again."),
  ],
  [
    "Bedrock's throttling",
    400,
    { message: "Too many tokens, please wait before trying again. You have reached your tokens per day quota." },
  ],
  [
    "Groq's minute, as 413",
    413,
    error(
      "Request too large for model `llama` in organization `o` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 8000",
      { code: "rate_limit_exceeded" },
    ),
  ],
  [
    "OpenAI's answer limit",
    400,
    error(
      "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
    ),
  ],
  [
    "Anthropic's answer limit",
    400,
    error("max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for this model"),
  ],
  ["a malformed limit", 400, error("max_tokens must be at least 1")],
  ["thinking's budget", 400, error("`max_tokens` must be greater than `thinking.budget_tokens`")],
  [
    "a missing result",
    400,
    error("messages.3: `tool_use` ids were found without `tool_result` blocks immediately after"),
  ],
  ["a too long name", 400, error("tools.0.name: String should have at most 64 characters")],
  ["an image", 400, error("messages.1.content.0.image: image exceeds 5 MB maximum")],
  ["overload", 529, error("Overloaded")],
  ["no permission", 403, error("context_length_exceeded is not for you")],
  [
    "an answer that speaks of it",
    200,
    { type: "message", content: [{ type: "text", text: "prompt is too long: 1 tokens > 0 maximum" }] },
  ],
  ["nothing", 400, undefined],
  ["an empty body", 400, ""],
  ["a server error", 500, "Internal Server Error"],
];

describe("an API's answer", () => {
  test.each(OVERFLOWS)("[R141] is an overflow: %s", (_, status, body, expected) => {
    expect(parseOverflow(status, body)).toEqual(expected);
  });

  test.each(OVERFLOWS)("[R141] says the same as unparsed text: %s", (_, status, body, expected) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(parseOverflow(status, text)).toEqual(expected);
  });

  test.each(OTHERS)("is not an overflow: %s", (_, status, body) => {
    expect(parseOverflow(status, body)).toBeUndefined();
    expect(parseOverflow(status, JSON.stringify(body) ?? "")).toBeUndefined();
  });

  test("takes an error event of a stream that began well for one, and words that only mention it not", () => {
    expect(parseOverflow(200, { type: "x", error: { message: "prompt is too long" } })).toEqual({ by: "anthropic" });
    expect(parseOverflow(200, { type: "x", message: "prompt is too long" })).toBeUndefined();
    const page = (characters: number) => `${"x".repeat(characters)} prompt is too long`;
    expect([parseOverflow(400, page(19_000))?.by, parseOverflow(400, page(20_000))?.by]).toEqual([
      "anthropic",
      undefined,
    ]);
  });

  test("never throws, whatever came", () => {
    fc.assert(
      fc.property(fc.integer(), fc.anything({ maxDepth: 6 }), (status, body) => {
        parseOverflow(status, body);
        parseOverflow(status, "{".repeat(100));
      }),
    );
  });
});
