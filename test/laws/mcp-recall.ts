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
    parsePage(await client.callTool({ name: "recall", arguments: { handle, page } }), handle);
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
      const text = pages.map((page) => page.text).join("");
      const pictures = pages.flatMap((page) => page.pictures);
      return { texts: text === "" && pictures.length > 0 ? [] : [text], pictures };
    },
    close: () => client.close(),
  };
}

interface Page {
  readonly text: string;
  readonly pictures: Recalled["pictures"];
  readonly pages: number;
}

/** One line before a page says what it is of, one after it says that it ends. */
function parsePage(answer: unknown, handle: string): Page | undefined {
  if (!isRecord(answer) || answer.isError === true || !Array.isArray(answer.content)) return undefined;
  const blocks = answer.content.filter(isRecord);
  const said = blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("");
  const pictures = blocks.flatMap(({ data, mimeType }) =>
    typeof data === "string" ? [{ mediaType: String(mimeType), data }] : [],
  );
  const framed = /^\[([^\n]*)\]\n([\s\S]*)\n\[end\]$/.exec(said);
  const note = framed?.[1] ?? "";
  if (pictures.length === 0 && !note.startsWith(`${handle}:`)) return undefined;
  const pages = /\bpage \d+ of (\d+)/.exec(note)?.[1];
  return { text: pictures.length > 0 ? "" : (framed?.[2] ?? ""), pictures, pages: Number(pages ?? 1) };
}
