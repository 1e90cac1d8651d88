import { appendFileSync, closeSync, openSync, writeSync } from "node:fs";

/** One exchange of a made-up session as the client would write it: an answer with a call, and its result. */
function renderExchange(exchange: number): string {
  const base = {
    isSidechain: false,
    sessionId: "bench",
    version: "2.1.325",
    cwd: "/home/dev/demo",
    timestamp: new Date(1.79e12 + exchange * 9000).toISOString(),
  };
  const context = 20_000 + (exchange % 150) * 900;
  const text =
    `export function total${exchange}(entries: readonly Entry[]): number {\n  return entries.reduce((sum, entry) => sum + entry.amount, 0);\n}\n`.repeat(
      6,
    );
  const answer = {
    ...base,
    type: "assistant",
    uuid: `a-${exchange}`,
    parentUuid: `r-${exchange - 1}`,
    message: {
      id: `msg_${exchange}`,
      role: "assistant",
      model: "claude-sonnet-4-6",
      stop_reason: "tool_use",
      content: [
        {
          type: "tool_use",
          id: `toolu_${exchange}`,
          name: "Read",
          input: { file_path: `/home/dev/demo/src/part-${exchange % 40}.ts` },
        },
      ],
      usage: {
        input_tokens: 4,
        cache_read_input_tokens: context - 900,
        cache_creation_input_tokens: 896,
        output_tokens: 80,
      },
    },
  };
  const result = {
    ...base,
    type: "user",
    uuid: `r-${exchange}`,
    parentUuid: `a-${exchange}`,
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${exchange}`, content: text }] },
    toolUseResult: {
      type: "text",
      file: { filePath: "part.ts", content: text, numLines: 18, startLine: 1, totalLines: 18 },
    },
  };
  return `${JSON.stringify(answer)}\n${JSON.stringify(result)}\n`;
}

/** One exchange of a session in which work is done: requests, edits, commands that fail and pass, tasks, texts, in rotation. */
export function renderWorkExchange(exchange: number): string {
  const base = { isSidechain: false, sessionId: "bench", version: "2.1.325", cwd: "/home/dev/demo" };
  const timestamp = new Date(1.79e12 + exchange * 9000).toISOString();
  const {
    tool,
    input,
    text,
    detail,
    isError = false,
    words,
  } = WORK[exchange % WORK.length]?.(exchange) ?? { words: "Done." };
  const call = tool === undefined ? [] : [{ type: "tool_use", id: `toolu_${exchange}`, name: tool, input }];
  const lines: object[] = [
    {
      ...base,
      timestamp,
      type: "assistant",
      uuid: `a-${exchange}`,
      parentUuid: `r-${exchange - 1}`,
      message: { id: `msg_${exchange}`, role: "assistant", content: [{ type: "text", text: words }, ...call] },
    },
  ];
  if (tool !== undefined) {
    const result = { type: "tool_result", tool_use_id: `toolu_${exchange}`, content: text, is_error: isError };
    const message = { role: "user", content: [result] };
    lines.push({
      ...base,
      timestamp,
      type: "user",
      uuid: `r-${exchange}`,
      parentUuid: `a-${exchange}`,
      message,
      toolUseResult: detail,
    });
  } else {
    const message = { role: "user", content: `Now add part ${exchange}, but never touch part-${exchange % 7}.ts.` };
    lines.push({ ...base, timestamp, type: "user", uuid: `r-${exchange}`, parentUuid: `a-${exchange}`, message });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

interface WorkStep {
  readonly words: string;
  readonly tool?: string;
  readonly input?: object;
  readonly text?: string;
  readonly detail?: object;
  readonly isError?: boolean;
}

const SOURCE =
  `export function total(entries: readonly Entry[]): number {\n  return entries.reduce((sum, entry) => sum + entry.amount, 0);\n}\n`.repeat(
    16,
  );

function renderPath(exchange: number): string {
  return `/home/dev/demo/src/part-${exchange % 400}.ts`;
}

const WORK: readonly ((exchange: number) => WorkStep)[] = [
  (exchange) => ({ words: `Part ${exchange} is done. I kept the map instead of a list because lookups dominate.` }),
  (exchange) => ({
    words: "Let me look at the part first.",
    tool: "Read",
    input: { file_path: renderPath(exchange) },
    text: SOURCE,
    detail: {
      type: "text",
      file: { filePath: renderPath(exchange), content: SOURCE, numLines: 48, startLine: 1, totalLines: 48 },
    },
  }),
  (exchange) => ({
    words: "Now the change.",
    tool: "Edit",
    input: { file_path: renderPath(exchange - 1), old_string: "total", new_string: "sum" },
    text: "The file has been updated.",
    detail: {
      filePath: renderPath(exchange - 1),
      originalFile: SOURCE,
      oldString: "total",
      newString: "sum",
      structuredPatch: [],
    },
  }),
  (exchange) => ({
    words: "Running the tests.",
    tool: "Bash",
    input: { command: `npx vitest run src/part-${exchange % 400}` },
    text: `Exit code 1\nFAIL src/part.test.ts\nError: expected ${exchange}\n`.repeat(20),
    isError: true,
  }),
  (exchange) => ({
    words: "That failed because the sum is empty, so I'll return zero rather than throw.",
    tool: "Edit",
    input: { file_path: renderPath(exchange - 3), old_string: "sum", new_string: "total" },
    text: "The file has been updated.",
    detail: {
      filePath: renderPath(exchange - 3),
      originalFile: SOURCE,
      oldString: "total",
      newString: "sum",
      structuredPatch: [],
    },
  }),
  (exchange) => ({
    words: "Again.",
    tool: "Bash",
    input: { command: `npx vitest run src/part-${(exchange - 2) % 400} --reporter=dot` },
    text: " Test Files  1 passed (1)\n      Tests  14 passed (14)\n".repeat(10),
    detail: { stdout: "", stderr: "", interrupted: false },
  }),
  (exchange) => ({
    words: "Noting it.",
    tool: "TaskCreate",
    input: { subject: `Finish part ${exchange}` },
    text: `Task #${exchange} created successfully: Finish part ${exchange}`,
    detail: { task: { id: String(exchange), subject: `Finish part ${exchange}` } },
  }),
  (exchange) => ({
    words: "And done.",
    tool: "TaskUpdate",
    input: { taskId: String(exchange - 1), status: "completed" },
    text: `Updated task #${exchange - 1} status`,
    detail: { success: true, taskId: String(exchange - 1), statusChange: { from: "pending", to: "completed" } },
  }),
];

/** Writes exchanges until the file has so many bytes; returns the number of the next exchange. */
export function writeTranscript(file: string, bytes: number): number {
  const handle = openSync(file, "w");
  let exchange = 0;
  let written = 0;
  while (written < bytes) {
    let batch = "";
    for (let index = 0; index < 500 && written + batch.length < bytes; index++) batch += renderExchange(exchange++);
    written += writeSync(handle, batch);
  }
  closeSync(handle);
  return exchange;
}

export function appendExchanges(file: string, from: number, exchanges: number): void {
  let text = "";
  for (let exchange = from; exchange < from + exchanges; exchange++) text += renderExchange(exchange);
  appendFileSync(file, text);
}
