import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { isRecord } from "../api/messages-body.ts";
import type { Recall, Recalled } from "./fetch-handles.ts";

const PROGRAM = join(import.meta.dirname, "../../dist/plimsoll.cjs");

export interface McpPlace {
  readonly home: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface McpRecall {
  readonly recall: Recall;
  close(): Promise<void>;
}

/** The `recall` of the built program, `plimsoll mcp`, started for a HOME and a project as a client would. */
export async function createMcpRecall({ home, cwd, env = {} }: McpPlace): Promise<McpRecall> {
  const client = new Client({ name: "auditor", version: "1" });
  const environment = { PATH: process.env.PATH ?? "", HOME: home, CLAUDE_PROJECT_DIR: cwd, ...env };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "mcp"],
    cwd,
    env: environment,
    stderr: "ignore",
  });
  await client.connect(transport);
  const askPage = async (handle: string, page: number): Promise<Page | undefined> =>
    parsePage(await client.callTool({ name: "recall", arguments: { handle, page } }));
  return {
    recall: async (handle) => {
      const first = await askPage(handle, 1);
      if (first === undefined) return undefined;
      const pages = [first];
      while (pages.length < first.pages) {
        const next = await askPage(handle, pages.length + 1);
        if (next === undefined) return undefined;
        pages.push(next);
      }
      const pictures = pages.flatMap((page) => page.pictures);
      const texts = joinPieces(pages.flatMap((page) => page.pieces));
      // A line's number stands for its result, and where it has none for what was called.
      const text = [`${handle} result`, handle, `${handle} call`]
        .map((name) => texts.get(name))
        .find((found) => found !== undefined);
      return { texts: text === undefined ? [] : [text], pictures };
    },
    close: () => client.close(),
  };
}

interface Page {
  readonly pieces: readonly (readonly [name: string, text: string])[];
  readonly pictures: Recalled["pictures"];
  readonly pages: number;
}

function joinPieces(pieces: Page["pieces"]): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const [name, text] of pieces) joined.set(name, (joined.get(name) ?? "") + text);
  return joined;
}

function parsePage(answer: unknown): Page | undefined {
  if (!isRecord(answer) || answer.isError === true || !Array.isArray(answer.content)) return undefined;
  const blocks = answer.content.filter(isRecord);
  const said = blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");
  const pictures = blocks.flatMap((block) => {
    const { blob, data = blob, mimeType } = isRecord(block.resource) ? block.resource : block;
    return typeof data === "string" ? [{ mediaType: String(mimeType), data }] : [];
  });
  const pages = /\[page \d+ of (\d+)[^\n]*\]$/.exec(said)?.[1];
  return { pieces: parsePieces(said), pictures, pages: Number(pages ?? 1) };
}

/** A line before each text says what it is and how many characters follow; they may say anything. */
function parsePieces(said: string): Page["pieces"] {
  const pieces: (readonly [string, string])[] = [];
  const heading = /\[([^\n]*): (?:(\d+) characters|characters (\d+) to (\d+) of \d+)\]\n/y;
  for (let at = 0; at < said.length; ) {
    heading.lastIndex = at;
    const [line, name = "", whole, from, to] = heading.exec(said) ?? [];
    if (line === undefined) {
      const end = said.indexOf("\n", at);
      at = end < 0 ? said.length : end + 1;
      continue;
    }
    const length = whole === undefined ? Number(to) - Number(from) + 1 : Number(whole);
    const start = at + line.length;
    pieces.push([name, said.slice(start, start + length)]);
    at = start + length;
  }
  return pieces;
}
