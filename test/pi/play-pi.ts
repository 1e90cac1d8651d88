import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApiRequest } from "../api/api-request.ts";
import type { Scenario } from "../api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import { STREAMED } from "../api/stream-events.ts";
import { createWorkspace, type Workspace } from "../client/workspace.ts";
import { type AuditOptions, auditRun } from "../laws/audit-run.ts";
import { createStoreRecall, listStoreFolders } from "../laws/store-recall.ts";
import type { Verdict } from "../laws/verdict.ts";
import { type Pi, startPi } from "./run-pi.ts";

const MODEL = "claude-sonnet-4-6";
const ROOT = join(import.meta.dirname, "../..");

/** A session of the real agent with the extension, played against a scripted API of its wire. */
export interface PiPlay {
  readonly api: ScriptedApi;
  readonly workspace: Workspace;
  start(args?: readonly string[]): Promise<Pi>;
  /** Makes what is recorded so many milliseconds older. */
  age(ms: number): Promise<void>;
  audit(options?: AuditOptions): Promise<Verdict>;
  close(): Promise<void>;
}

export interface PiStage {
  readonly contextWindow?: number;
  /** In the person's own settings of Plimsoll. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Of pi itself. */
  readonly piSettings?: Readonly<Record<string, unknown>>;
}

export async function playPi(scenario: Scenario, stage: PiStage = {}): Promise<PiPlay> {
  const [api, workspace] = [await createScriptedApi({ pace: STREAMED, ...scenario }), await createWorkspace()];
  const { home, cwd } = workspace;
  const { contextWindow = 200_000, settings, piSettings = {} } = stage;
  const model = { id: MODEL, contextWindow, maxTokens: 8_000, reasoning: false, input: ["text", "image"] };
  const provider = { baseUrl: api.url, api: "anthropic-messages", apiKey: "made-up", models: [model] };
  await workspace.writeHome(".pi/agent/models.json", JSON.stringify({ providers: { scripted: provider } }));
  await workspace.writeHome(".pi/agent/settings.json", JSON.stringify(piSettings));
  if (settings) await workspace.writeHome(".claude/plimsoll.json", JSON.stringify(settings));
  const folder = join(workspace.root, "extension");
  execFileSync(process.execPath, [join(ROOT, "scripts/build-in-agent.mjs"), folder]);
  const running: Pi[] = [];
  return {
    api,
    workspace,
    async start(args = []) {
      const given = ["--model", MODEL, "--extension", join(folder, "pi.js"), ...args];
      const pi = await startPi({ home, cwd, apiUrl: api.url, args: given });
      running.push(pi);
      return pi;
    },
    async age(ms) {
      const sessions = join(home, ".pi/agent/sessions");
      for (const name of await readdir(sessions, { recursive: true })) {
        if (!name.endsWith(".jsonl")) continue;
        const text = await readFile(join(sessions, name), "utf8");
        const older = text.replaceAll(/"timestamp":(\d+)/g, (_, at: string) => `"timestamp":${Number(at) - ms}`);
        await writeFile(join(sessions, name), older);
      }
    },
    audit: (options = {}) =>
      auditRun({
        requests: api.requests.map(unwrap),
        recall: createStoreRecall({ folders: listStoreFolders({ home, cwd }) }),
        options,
      }),
    async close() {
      for (const pi of running) await pi.close();
      await api.close();
      await workspace.remove();
    },
  };
}

const SUMMARY =
  /^The conversation history before this point was compacted into the following summary:\n\n<summary>\n([\s\S]*)\n<\/summary>$/;

/** Pi puts words of its own around a summary; the auditor reads what stands between them. */
function unwrap(request: ApiRequest): ApiRequest {
  const messages = request.body.messages.map((message) => {
    if (!Array.isArray(message.content)) return message;
    const content = message.content.map((block) => {
      const inside = typeof block.text === "string" ? SUMMARY.exec(block.text)?.[1] : undefined;
      return inside === undefined ? block : { ...block, text: inside };
    });
    return { ...message, content };
  });
  return { ...request, body: { ...request.body, messages } };
}
