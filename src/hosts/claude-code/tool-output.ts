import {
  isObject,
  type Json,
  type JsonObject,
  listField,
  objectField,
  parseJson,
  textField,
  textListField,
} from "../../core/json.ts";

/** A tool's result as its hook receives it, as one text that can be replaced. */
export interface ToolOutput {
  readonly text: string;
  /** The model's name for the tool, if the hook gets another. */
  readonly calledAs?: string;
  /** The file in which the client put the whole of an output that it cut; empty if it did not. */
  readonly persistedPath: string;
  /** The result in the tool's own shape with another text in it: the client ignores every other shape. */
  replace(text: string): Json;
}

/** `undefined` for a result without text, or of an unknown shape: it is left alone. */
export function parseToolOutput(tool: string, response: Json | undefined): ToolOutput | undefined {
  if (tool.startsWith("mcp__")) return parseContent(response);
  if (!isObject(response)) return undefined;
  return Object.hasOwn(SHAPES, tool) ? SHAPES[tool]?.(response) : undefined;
}

const SHAPES: Readonly<Record<string, (response: JsonObject) => ToolOutput | undefined>> = {
  Bash: parseShell,
  PowerShell: parseShell,
  BashOutput: parseShell,
  Read: parseRead,
  // Hits have their text in `content`; a list of files has only names.
  Grep: (response) => parseField(response, "content") ?? parseNames(response),
  Glob: parseNames,
  WebFetch: (response) => parseField(response, "result"),
  WebSearch: parseSearch,
  TaskOutput: parseTaskOutput,
  Task: parseReport,
  Agent: parseReport,
};

/** Only a flood of errors is folded along. Next to an output in a file they always stay: that file is stored, and may not contain them. */
const SMALL_STDERR = 2000;

function parseShell(response: JsonObject): ToolOutput | undefined {
  const { persistedOutputPath, persistedOutputSize, ...rest } = response;
  const { stdout, isImage, interrupted } = response;
  if (typeof stdout !== "string" || isImage === true || interrupted === true) return undefined;
  const stderr = textField(response, "stderr");
  const persistedPath = textField(response, "persistedOutputPath");
  if (stderr.length <= SMALL_STDERR || persistedPath !== "")
    return { text: stdout, persistedPath, replace: (text) => ({ ...rest, stdout: text }) };
  const joined = stdout === "" ? stderr : `${stdout}${stdout.endsWith("\n") ? "" : "\n"}${stderr}`;
  return { text: joined, persistedPath, replace: (text) => ({ ...rest, stdout: text, stderr: "" }) };
}

function parseRead(response: JsonObject): ToolOutput | undefined {
  const file = objectField(response, "file");
  if (response.type !== "text" || file === undefined || typeof file.content !== "string") return undefined;
  return whole(file.content, (content) => ({ ...response, file: { ...file, content } }));
}

function parseNames(response: JsonObject): ToolOutput | undefined {
  const filenames = textListField(response, "filenames");
  if (filenames.length === 0) return undefined;
  return whole(filenames.join("\n"), (text) => ({ ...response, filenames: [text] }));
}

/** Links come as lists, the text made of them as strings; the model is shown both. */
function parseSearch(response: JsonObject): ToolOutput | undefined {
  const results = listField(response, "results");
  if (results.length === 0) return undefined;
  const text = results.map((result) => (typeof result === "string" ? result : JSON.stringify(result))).join("\n\n");
  return whole(text, (folded) => ({ ...response, results: [folded] }));
}

/** A background command; a background agent's report has its text in two places and stays. */
function parseTaskOutput(response: JsonObject): ToolOutput | undefined {
  const task = objectField(response, "task");
  if (task === undefined || typeof task.output !== "string" || task.result !== undefined) return undefined;
  return whole(task.output, (output) => ({ ...response, task: { ...task, output } }));
}

function parseReport(response: JsonObject): ToolOutput | undefined {
  const parsed = parseContent(response.content);
  return parsed && { ...parsed, replace: (text) => ({ ...response, content: parsed.replace(text) }) };
}

/** Text blocks among others: the text is joined, and other blocks stay where they are. */
function parseContent(content: Json | undefined): ToolOutput | undefined {
  if (typeof content === "string") return whole(content, (text) => text);
  if (!Array.isArray(content)) return undefined;
  const blocks: readonly Json[] = content;
  const texts = blocks.filter(isTextBlock);
  const [first] = texts;
  if (first === undefined) return undefined;
  return whole(texts.map((block) => textField(block, "text")).join("\n"), (text) =>
    blocks
      .filter((block) => block === first || !isTextBlock(block))
      .map((block) => (block === first ? { ...first, text } : block)),
  );
}

function isTextBlock(block: Json): block is JsonObject {
  return isObject(block) && block.type === "text" && typeof block.text === "string";
}

function parseField(response: JsonObject, key: string): ToolOutput | undefined {
  const value = response[key];
  return typeof value === "string" ? whole(value, (text) => ({ ...response, [key]: text })) : undefined;
}

function whole(text: string, replace: ToolOutput["replace"]): ToolOutput {
  return { text, persistedPath: "", replace };
}

/** The file in which the client put an output that was too large for it; it shows the first 2 KB, whatever they are. */
export function findPersisted(shown: string): string | undefined {
  if (!shown.startsWith("<persisted-output>")) return undefined;
  return /Full output saved to: (\S[^\n]*)/.exec(shown)?.[1]?.trim();
}

/** A stored output: a `.txt` is the text itself, a `.json` an MCP tool's blocks. `undefined` if not all of them are text. */
export function parsePersisted(path: string, file: string): string | undefined {
  if (!path.endsWith(".json")) return file;
  // Not JSON if it was cut off while it was written: the client's own preview stays.
  const blocks = parseJson(file);
  return Array.isArray(blocks) ? joinTexts(blocks) : undefined;
}

/** The blocks of an answer as one text; `undefined` if other blocks are among them. */
export function joinTexts(blocks: readonly unknown[]): string | undefined {
  const texts = blocks.map((block) =>
    isObject(block) && block.type === "text" ? textField(block, "text") : undefined,
  );
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}
