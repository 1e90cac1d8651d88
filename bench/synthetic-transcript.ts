import { appendFileSync, closeSync, openSync, writeSync } from "node:fs";

/** One turn of a made-up session as the client would write it: an answer with a call, and its result. */
function renderTurn(turn: number): string {
  const base = {
    isSidechain: false,
    sessionId: "bench",
    version: "2.1.325",
    cwd: "/home/dev/demo",
    timestamp: new Date(1.79e12 + turn * 9000).toISOString(),
  };
  const context = 20_000 + (turn % 150) * 900;
  const text =
    `export function total${turn}(entries: readonly Entry[]): number {\n  return entries.reduce((sum, entry) => sum + entry.amount, 0);\n}\n`.repeat(
      6,
    );
  const answer = {
    ...base,
    type: "assistant",
    uuid: `a-${turn}`,
    parentUuid: `r-${turn - 1}`,
    message: {
      id: `msg_${turn}`,
      role: "assistant",
      model: "claude-sonnet-4-6",
      stop_reason: "tool_use",
      content: [
        {
          type: "tool_use",
          id: `toolu_${turn}`,
          name: "Read",
          input: { file_path: `/home/dev/demo/src/part-${turn % 40}.ts` },
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
    uuid: `r-${turn}`,
    parentUuid: `a-${turn}`,
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${turn}`, content: text }] },
    toolUseResult: {
      type: "text",
      file: { filePath: "part.ts", content: text, numLines: 18, startLine: 1, totalLines: 18 },
    },
  };
  return `${JSON.stringify(answer)}\n${JSON.stringify(result)}\n`;
}

/** One turn of a session in which work is done: requests, edits, commands that fail and pass, tasks, texts, in rotation. */
export function renderWorkTurn(turn: number): string {
  const base = { isSidechain: false, sessionId: "bench", version: "2.1.325", cwd: "/home/dev/demo" };
  const timestamp = new Date(1.79e12 + turn * 9000).toISOString();
  const { tool, input, text, detail, isError = false, words } = WORK[turn % WORK.length]?.(turn) ?? { words: "Done." };
  const call = tool === undefined ? [] : [{ type: "tool_use", id: `toolu_${turn}`, name: tool, input }];
  const lines: object[] = [
    {
      ...base,
      timestamp,
      type: "assistant",
      uuid: `a-${turn}`,
      parentUuid: `r-${turn - 1}`,
      message: { id: `msg_${turn}`, role: "assistant", content: [{ type: "text", text: words }, ...call] },
    },
  ];
  if (tool !== undefined) {
    const result = { type: "tool_result", tool_use_id: `toolu_${turn}`, content: text, is_error: isError };
    const message = { role: "user", content: [result] };
    lines.push({
      ...base,
      timestamp,
      type: "user",
      uuid: `r-${turn}`,
      parentUuid: `a-${turn}`,
      message,
      toolUseResult: detail,
    });
  } else {
    const message = { role: "user", content: `Now add part ${turn}, but never touch part-${turn % 7}.ts.` };
    lines.push({ ...base, timestamp, type: "user", uuid: `r-${turn}`, parentUuid: `a-${turn}`, message });
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

function renderPath(turn: number): string {
  return `/home/dev/demo/src/part-${turn % 400}.ts`;
}

const WORK: readonly ((turn: number) => WorkStep)[] = [
  (turn) => ({ words: `Part ${turn} is done. I kept the map instead of a list because lookups dominate.` }),
  (turn) => ({
    words: "Let me look at the part first.",
    tool: "Read",
    input: { file_path: renderPath(turn) },
    text: SOURCE,
    detail: {
      type: "text",
      file: { filePath: renderPath(turn), content: SOURCE, numLines: 48, startLine: 1, totalLines: 48 },
    },
  }),
  (turn) => ({
    words: "Now the change.",
    tool: "Edit",
    input: { file_path: renderPath(turn - 1), old_string: "total", new_string: "sum" },
    text: "The file has been updated.",
    detail: {
      filePath: renderPath(turn - 1),
      originalFile: SOURCE,
      oldString: "total",
      newString: "sum",
      structuredPatch: [],
    },
  }),
  (turn) => ({
    words: "Running the tests.",
    tool: "Bash",
    input: { command: `npx vitest run src/part-${turn % 400}` },
    text: `Exit code 1\nFAIL src/part.test.ts\nError: expected ${turn}\n`.repeat(20),
    isError: true,
  }),
  (turn) => ({
    words: "That failed because the sum is empty, so I'll return zero rather than throw.",
    tool: "Edit",
    input: { file_path: renderPath(turn - 3), old_string: "sum", new_string: "total" },
    text: "The file has been updated.",
    detail: {
      filePath: renderPath(turn - 3),
      originalFile: SOURCE,
      oldString: "total",
      newString: "sum",
      structuredPatch: [],
    },
  }),
  (turn) => ({
    words: "Again.",
    tool: "Bash",
    input: { command: `npx vitest run src/part-${(turn - 2) % 400} --reporter=dot` },
    text: " Test Files  1 passed (1)\n      Tests  14 passed (14)\n".repeat(10),
    detail: { stdout: "", stderr: "", interrupted: false },
  }),
  (turn) => ({
    words: "Noting it.",
    tool: "TaskCreate",
    input: { subject: `Finish part ${turn}` },
    text: `Task #${turn} created successfully: Finish part ${turn}`,
    detail: { task: { id: String(turn), subject: `Finish part ${turn}` } },
  }),
  (turn) => ({
    words: "And done.",
    tool: "TaskUpdate",
    input: { taskId: String(turn - 1), status: "completed" },
    text: `Updated task #${turn - 1} status`,
    detail: { success: true, taskId: String(turn - 1), statusChange: { from: "pending", to: "completed" } },
  }),
];

/** Writes turns until the file has so many bytes; returns the number of the next turn. */
export function writeTranscript(file: string, bytes: number): number {
  const handle = openSync(file, "w");
  let turn = 0;
  let written = 0;
  while (written < bytes) {
    let batch = "";
    for (let index = 0; index < 500 && written + batch.length < bytes; index++) batch += renderTurn(turn++);
    written += writeSync(handle, batch);
  }
  closeSync(handle);
  return turn;
}

export function appendTurns(file: string, from: number, turns: number): void {
  let text = "";
  for (let turn = from; turn < from + turns; turn++) text += renderTurn(turn);
  appendFileSync(file, text);
}
