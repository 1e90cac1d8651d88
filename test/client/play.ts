import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ApiRequest } from "../api/api-request.ts";
import type { Scenario } from "../api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import { STREAMED } from "../api/stream-events.ts";
import { agreeRecalls } from "../laws/agree-recalls.ts";
import { type AuditOptions, auditRun } from "../laws/audit-run.ts";
import { createMcpRecall } from "../laws/mcp-recall.ts";
import { createStoreRecall, listStoreFolders } from "../laws/store-recall.ts";
import type { Verdict } from "../laws/verdict.ts";
import type { ClientVersion } from "./fetch-client.ts";
import { findSessionFiles } from "./find-session-files.ts";
import type { ClientRun, Prompt } from "./render-command.ts";
import { type ClientResult, runClient } from "./run-client.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

export const PLUGIN: string = join(import.meta.dirname, "../../plugin");
export const PLUGIN_CLASSIC: string = join(import.meta.dirname, "../../plugin-classic");

/** A change of the module's source. */
export interface Patch {
  readonly file: string;
  /** Of a constant or a function at the top of the file. */
  readonly name: string;
  /** The value of the constant, or what the function begins with. */
  readonly code: string;
}

/** The module's plugin built anew in a folder, with changes of its sources. */
export async function buildPlugin(folder: string, patches: readonly Patch[]): Promise<void> {
  await cp(PLUGIN, folder, { recursive: true });
  const words = ["scripts/build-plugins.mjs", "--module", folder, JSON.stringify(patches)];
  await promisify(execFile)(process.execPath, words, { cwd: join(PLUGIN, "..") });
}

/** A session of the real client with a plugin of ours, played against a scripted API. */
export interface Play {
  readonly api: ScriptedApi;
  readonly workspace: Workspace;
  /** Runs prompts in one process; `resume` goes on with the last session. */
  run(options: PlayOptions): Promise<ClientResult>;
  /** What the entry point wrote down of the newest session, oldest first. */
  actions(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Whether the laws were kept in all requests so far, or in those of one session; every handle is fetched out of the stores, and with
   * the program, which answers a session only what is its own.
   */
  audit(options?: AuditOptions, of?: string): Promise<Verdict>;
  /** Lets the newest session's last answer lie so long back as if time had passed since. */
  ageState(byMs: number): Promise<void>;
  /** What the client has recorded of the newest session. */
  transcript(): Promise<string>;
  close(): Promise<void>;
}

export interface PlayOptions {
  readonly prompts: readonly Prompt[];
  /** What the person types while the model works. */
  readonly typeAt?: NonNullable<ClientRun["typeAt"]>;
  readonly version?: ClientVersion;
  readonly model?: string;
  readonly resume?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly plugins?: readonly string[];
  readonly timeoutMs?: number;
  readonly wrap?: NonNullable<ClientRun["wrap"]>;
}

export async function play(scenario: Scenario, settings?: Readonly<Record<string, unknown>>): Promise<Play> {
  const [api, workspace] = [await createScriptedApi({ pace: STREAMED, ...scenario }), await createWorkspace()];
  const { home, cwd } = workspace;
  if (settings) await workspace.writeHome(".claude/plimsoll.json", JSON.stringify(settings));
  let sessionId = "";
  const locateTranscript = async (): Promise<string> =>
    (await findSessionFiles(home)).find((files) => files.sessionId === sessionId)?.transcript ?? "";
  return {
    api,
    workspace,
    async run({ version = "2.1.325", model = "claude-sonnet-4-6", plugins = [PLUGIN], args = [], ...options }) {
      const given = [...plugins.flatMap((plugin) => ["--plugin-dir", plugin]), ...args];
      const result = await runClient({ version, model, home, cwd, apiUrl: api.url, ...options, args: given });
      sessionId = result.sessionId;
      return result;
    },
    async actions() {
      const folder = join(home, ".claude/data/plimsoll/sessions", sessionId);
      const read = (name: string): Promise<string> => readFile(join(folder, name), "utf8");
      const text = await read("deeds-module.jsonl").catch(() => read("deeds-hook.jsonl"));
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
    async audit(options = {}, of) {
      const program = await createMcpRecall({ home, cwd, env: { CLAUDE_CODE_SESSION_ID: of ?? sessionId } });
      const stores = createStoreRecall({ folders: listStoreFolders({ home, cwd }) });
      try {
        const isMeant = ({ headers }: ApiRequest): boolean =>
          (of ?? headers[SESSION_HEADER]) === headers[SESSION_HEADER];
        const requests = api.requests.filter(isMeant);
        return await auditRun({ requests, recall: agreeRecalls(program.recall, stores), options });
      } finally {
        await program.close();
      }
    },
    async ageState(byMs) {
      const file = join(home, ".claude/data/plimsoll/sessions", sessionId, "module-state.json");
      const text = await readFile(file, "utf8");
      const aged = text.replaceAll(/"atMs":(\d+)/g, (_, atMs: string) => `"atMs":${Number(atMs) - byMs}`);
      await writeFile(file, aged);
      const transcript = await locateTranscript();
      const lines = (await readFile(transcript, "utf8")).replaceAll(
        /"timestamp":"([^"]+)"/g,
        (_, at: string) => `"timestamp":"${new Date(Date.parse(at) - byMs).toISOString()}"`,
      );
      await writeFile(transcript, lines);
    },
    transcript: async () => readFile(await locateTranscript(), "utf8"),
    async close() {
      await api.close();
      await workspace.remove();
    },
  };
}

const SESSION_HEADER = "x-claude-code-session-id";

/** What a request carries, as one text: what the model is sent. */
export function sent(request: ApiRequest | undefined): string {
  return (request?.body.messages ?? []).map(({ content }) => renderContent(content)).join("\n");
}

function renderContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(renderContent).join("\n");
  if (typeof content !== "object" || content === null) return "";
  if ("text" in content) return String(content.text);
  if ("content" in content) return renderContent(content.content);
  return "input" in content ? JSON.stringify(content.input) : "";
}

/** The first request that carries less than the one before it: -1 where the history was never replaced. */
export function findCompacted(requests: readonly ApiRequest[]): number {
  return requests.findIndex(
    ({ body }, index) => index > 0 && body.messages.length < (requests[index - 1]?.body.messages.length ?? 0),
  );
}

/** Tells, given each request as it comes, how often the history was replaced so far. */
export function countCompactions(): (request: ApiRequest) => number {
  let [length, compactions] = [0, 0];
  return ({ body }) => {
    if (body.messages.length < length) compactions++;
    length = body.messages.length;
    return compactions;
  };
}

/** The text of the result of a call in a request. */
export function resultIn(request: ApiRequest | undefined, callId: string): string {
  for (const { content } of request?.body.messages ?? []) {
    if (!Array.isArray(content)) continue;
    for (const block of content) {
      if (isResultOf(block, callId)) return renderContent(block).replace(/\n*<system-reminder>[\s\S]*$/, "");
    }
  }
  return "";
}

function isResultOf(block: unknown, callId: string): boolean {
  return typeof block === "object" && block !== null && "tool_use_id" in block && block.tool_use_id === callId;
}

/** What each request weighed, in tokens, as the transcript has it from the API. */
export async function contextsOf(run: ClientResult): Promise<readonly number[]> {
  const transcript = run.sessions.find(({ sessionId }) => sessionId === run.sessionId)?.transcript ?? "";
  const contexts = new Map<string, number>();
  for (const line of (await readFile(transcript, "utf8")).split("\n")) {
    const usage =
      /"usage":\{"input_tokens":(\d+),"cache_creation_input_tokens":(\d+),"cache_read_input_tokens":(\d+)/.exec(line);
    const id = /"id":"(msg_[^"]+)"/.exec(line)?.[1];
    if (usage && id) contexts.set(id, Number(usage[1]) + Number(usage[2]) + Number(usage[3]));
  }
  // Rows that are told again after a compaction carry none.
  return [...contexts.values()].filter((tokens) => tokens > 0);
}
