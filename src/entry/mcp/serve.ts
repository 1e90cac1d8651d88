import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  type ContentBlock,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "../../core/json.ts";
import { callTool, type ToolAnswer } from "./call-tool.ts";
import { findPlace } from "./place.ts";
import { createSessions, type Elsewhere } from "./sessions.ts";
import { TOOLS, type ToolSpec } from "./tools.ts";

/** The only file that imports the SDK. Serves on stdin and stdout until the client closes them. */
export async function serve(version: string, elsewhere?: Elsewhere): Promise<void> {
  const findSession = createSessions(findPlace(process.env, process.cwd()), elsewhere);
  const server = new Server({ name: "plimsoll", version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    // In a session with the hooks module there is already a `recall`, and two would be too many.
    tools: process.env.PLIMSOLL_MODULE ? [] : TOOLS.map(describe),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const given: unknown = params.arguments;
    const input = isObject(given) ? given : {};
    const meta: unknown = params._meta;
    const { session, fetch } = findSession(isObject(meta) ? meta : {});
    if (params.name === "recall") await fetch?.(input);
    const { blocks, isError } = await callTool(session, params.name, input);
    return { content: blocks.map(toContent), isError };
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // A client that is killed just closes its end of the pipe.
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
}

function toContent(block: ToolAnswer["blocks"][number]): ContentBlock {
  if (typeof block === "string") return { type: "text", text: block };
  const { data, mediaType } = block;
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  return { type: "resource", resource: { uri: "plimsoll:document", mimeType: mediaType, blob: data } };
}

function describe({ name, description, inputSchema, isUpFront }: ToolSpec): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    annotations: { readOnlyHint: true, openWorldHint: false },
    // Clients that defer tools respect this (seen in 2.1.325); others list every tool anyway.
    ...(isUpFront ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
  };
}
