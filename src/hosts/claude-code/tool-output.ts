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

/** A tool's result as its hook is told it, seen as one text that another may take the place of. */
export interface ToolOutput {
  readonly text: string;
  /** What the model calls the tool, where the hook is told another name. */
  readonly calledAs?: string;
  /** Where the client put the whole of an output that it cut; empty where it did not. */
  readonly persistedPath: string;
  /** The result in the tool's own shape with another text in it: the client ignores every other shape. */
  replace(text: string): Json;
}

/** `undefined` for a result that has no text to speak of, or a shape that we do not know: it is left alone. */
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
  Grep: parseGrep,
  Glob: parseNames,
  WebFetch: (response) => parseField(response, "result"),
  WebSearch: parseSearch,
  TaskOutput: parseTaskOutput,
  Task: parseReport,
  Agent: parseReport,
};

/**
 * What went wrong beside a large output is worth its few lines; only a flood of it is folded along. Beside an output that
 * lies in a file it always stays: that file is what is kept, and need not hold it.
 */
const SMALL_STDERR = 2000;

function parseShell(response: JsonObject): ToolOutput | undefined {
  if (response.isImage === true || response.interrupted === true) return undefined;
  const { persistedOutputPath, persistedOutputSize, ...rest } = response;
  const stdout = textField(response, "stdout");
  const stderr = textField(response, "stderr");
  if (typeof response.stdout !== "string") return undefined;
  const persistedPath = typeof persistedOutputPath === "string" ? persistedOutputPath : "";
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

/** Hits have their text in `content`; a list of files has only its names. */
function parseGrep(response: JsonObject): ToolOutput | undefined {
  return typeof response.content === "string" ? parseField(response, "content") : parseNames(response);
}

function parseNames(response: JsonObject): ToolOutput | undefined {
  const filenames = textListField(response, "filenames");
  if (filenames.length === 0) return undefined;
  return whole(filenames.join("\n"), (text) => ({ ...response, filenames: [text] }));
}

/** Links come as lists, what was made of them as text; the model is shown both. */
function parseSearch(response: JsonObject): ToolOutput | undefined {
  const results = listField(response, "results");
  if (results.length === 0) return undefined;
  const text = results.map((result) => (typeof result === "string" ? result : JSON.stringify(result))).join("\n\n");
  return whole(text, (folded) => ({ ...response, results: [folded] }));
}

/** A command in the background; what an agent in the background reports has its text in two places and stays. */
function parseTaskOutput(response: JsonObject): ToolOutput | undefined {
  const task = objectField(response, "task");
  if (task === undefined || typeof task.output !== "string" || task.result !== undefined) return undefined;
  return whole(task.output, (output) => ({ ...response, task: { ...task, output } }));
}

function parseReport(response: JsonObject): ToolOutput | undefined {
  const parsed = parseContent(response.content);
  return parsed && { ...parsed, replace: (text) => ({ ...response, content: parsed.replace(text) }) };
}

/** Blocks of text among others: the text is taken together, and what is no text stays where it is. */
function parseContent(content: Json | undefined): ToolOutput | undefined {
  if (typeof content === "string") return whole(content, (text) => text);
  if (!Array.isArray(content)) return undefined;
  const blocks: readonly Json[] = content;
  const texts = blocks.filter(isTextBlock);
  if (texts.length === 0) return undefined;
  return whole(texts.map((block) => textField(block, "text")).join("\n"), (text) => {
    const first = blocks.findIndex(isTextBlock);
    return blocks
      .filter((block, index) => index === first || !isTextBlock(block))
      .map((block) => (isTextBlock(block) ? { ...block, text } : block));
  });
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

/** Where the client put an output that was too large even for itself; it shows the first 2 KB, whatever they are. */
export function findPersisted(shown: string): string | undefined {
  if (!shown.startsWith("<persisted-output>")) return undefined;
  return /Full output saved to: (\S[^\n]*)/.exec(shown)?.[1]?.trim();
}

/**
 * What a tool said, out of the file that the client put it in: a `.txt` holds the words themselves, a `.json` the blocks
 * of an answer as MCP tools give it. `undefined` where not all of them are text.
 */
export function parsePersisted(path: string, file: string): string | undefined {
  return path.endsWith(".json") ? joinTexts(parseList(file)) : file;
}

/** The blocks of an answer as one text; `undefined` where there is something else among them. */
export function joinTexts(blocks: readonly unknown[]): string | undefined {
  const texts = blocks.map((block) =>
    isObject(block) && block.type === "text" ? textField(block, "text") : undefined,
  );
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}

function parseList(text: string): readonly unknown[] {
  // No JSON where it was cut off while it was written: the client's own preview stays.
  const value = parseJson(text);
  return Array.isArray(value) ? value : [];
}
