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
