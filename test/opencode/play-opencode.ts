import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { access, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ApiRequest } from "../api/api-request.ts";
import { answer } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { STREAMED } from "../api/stream-events.ts";
import { fetchPackages } from "../client/fetch-packages.ts";
import { createWorkspace, type Workspace } from "../client/workspace.ts";
import { type AuditOptions, auditRun } from "../laws/audit-run.ts";
import { createStoreRecall, listStoreFolders } from "../laws/store-recall.ts";
import type { Verdict } from "../laws/verdict.ts";

const VERSION = "1.18.18";
const BINARY = `opencode-linux-${process.arch === "arm64" ? "arm64" : "x64"}`;
const MODEL = "claude-sonnet-4-6";
const ROOT = join(import.meta.dirname, "../..");

function fetchOpenCode(): Promise<string> {
  return fetchPackages({
    name: `opencode-${VERSION}`,
    packages: [`opencode-ai@${VERSION}`],
    find: async (folder) => {
      const binary = join(folder, "node_modules", BINARY, "bin/opencode");
      return access(binary).then(
        () => binary,
        () => null,
      );
    },
  });
}

/** Sessions of the real OpenCode with the plugin, played against a scripted API of its wire. */
export interface OpenCodePlay {
  readonly workspace: Workspace;
  /** The requests of the conversation: a title is asked for without tools. */
  requests(): readonly ApiRequest[];
  /** All others. */
  side(): readonly ApiRequest[];
  /** Says something in a process of its own; what it wrote. */
  run(prompt: string, args?: readonly string[]): Promise<string>;
  /** Exports the session, and imports it as if all of it had happened so many milliseconds earlier. */
  age(byMs: number): Promise<void>;
  /** Goes on with the newest session in OpenCode's server, as its screen does; what it told its screens meanwhile. */
  askServer(prompt: string): Promise<string>;
  audit(options?: AuditOptions): Promise<Verdict>;
  close(): Promise<void>;
}

export interface OpenCodeStage {
  readonly contextWindow?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export async function playOpenCode(
  script: (request: ApiRequest, step: number) => Reply,
  { contextWindow = 200_000, settings }: OpenCodeStage = {},
): Promise<OpenCodePlay> {
  let step = 0;
  const isOfConversation = ({ body }: ApiRequest): boolean => (body.tools ?? []).some(({ name }) => name === "bash");
  const api = await createScriptedApi({
    pace: STREAMED,
    main: (request) => (isOfConversation(request) ? script(request, step++) : answer("A title")),
  });
  const workspace = await createWorkspace();
  const { home, cwd } = workspace;
  const models = { [MODEL]: { limit: { context: contextWindow, output: 8_000 } } };
  const options = { baseURL: `${api.url}/v1`, apiKey: "made-up" };
  const config = {
    autoupdate: false,
    share: "disabled",
    model: `scripted/${MODEL}`,
    small_model: `scripted/${MODEL}`,
    provider: { scripted: { npm: "@ai-sdk/anthropic", options, models } },
    permission: { bash: "allow" },
  };
  await workspace.writeHome(".config/opencode/opencode.json", JSON.stringify(config));
  if (settings) await workspace.writeHome(".claude/plimsoll.json", JSON.stringify(settings));
  const built = join(workspace.root, "built");
  execFileSync(process.execPath, [join(ROOT, "scripts/build-in-agent.mjs"), built]);
  await mkdir(join(home, ".config/opencode/plugin"), { recursive: true });
  execFileSync("cp", [join(built, "opencode.js"), join(home, ".config/opencode/plugin/plimsoll.js")]);
  await mkdir(join(home, "tmp"), { recursive: true });
  const outputs = new Map<ChildProcess, string>();
  const written = (child: ChildProcess): string => outputs.get(child) ?? "";
  const start = async (args: readonly string[], stdout: "pipe" | number = "pipe"): Promise<ChildProcess> => {
    const child = spawn(await fetchOpenCode(), args, {
      cwd,
      env: {
        HOME: home,
        PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
        TMPDIR: join(home, "tmp"),
        LANG: "C.UTF-8",
        // It would fetch its own types at the start: here nobody has them.
        npm_config_registry: `${api.url}/`,
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
      stdio: ["ignore", stdout, "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => outputs.set(child, written(child) + String(chunk)));
    return child;
  };
  /** Everything that it wrote. */
  const finish = (child: ChildProcess): Promise<string> =>
    new Promise((resolve, reject) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(written(child));
      child.on("error", reject);
      child.on("close", () => resolve(written(child)));
    });
  /** The one that was run last. */
  let newest = "";
  return {
    workspace,
    requests: () => api.requests.filter(isOfConversation),
    side: () => api.requests.filter((request) => !isOfConversation(request)),
    async run(prompt, args = []) {
      const said = await start(["run", "--format", "json", ...args, prompt]).then(finish);
      newest = said.match(/ses_\w+/)?.[0] ?? newest;
      return said;
    },
    async age(byMs) {
      const file = join(home, "earlier.json");
      // OpenCode may end before a pipe has taken all of a long export.
      const exported = await open(file, "w");
      await start(["export", newest], exported.fd).then(finish);
      await exported.close();
      const earlier = (await readFile(file, "utf8")).replace(
        /"(created|updated|completed|start|end)": (\d{13})/g,
        (_, name, at) => `"${name}": ${at - byMs}`,
      );
      await writeFile(file, earlier);
      // What exists stays as it is.
      await start(["session", "delete", newest]).then(finish);
      const imported = await start(["import", file]).then(finish);
      if (!imported.includes(newest)) throw new Error(imported);
    },
    async askServer(prompt) {
      const child = await start(["serve", "--port", "0"]);
      try {
        const url = await new Promise<string>((resolve, reject) => {
          const seen = () => {
            const [at] = written(child).match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
            if (at !== undefined) resolve(at);
          };
          child.stdout?.on("data", seen);
          child.on("close", () => reject(new Error(written(child))));
        });
        const events = await fetch(`${url}/event?directory=${encodeURIComponent(cwd)}`);
        const [reader, decoder] = [events.body?.getReader(), new TextDecoder()];
        const asked = fetch(`${url}/session/${newest}/message?directory=${encodeURIComponent(cwd)}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ parts: [{ type: "text", text: prompt }] }),
        }).then((response) => response.text());
        let told = "";
        while (!told.includes('"session.idle"')) {
          const part = await reader?.read();
          if (part?.value === undefined) break;
          told += decoder.decode(part.value, { stream: true });
        }
        await asked;
        await reader?.cancel();
        return told;
      } finally {
        child.kill();
        await finish(child);
      }
    },
    audit: (given = {}) =>
      auditRun({
        requests: api.requests.filter(isOfConversation),
        recall: createStoreRecall({ folders: listStoreFolders({ home, cwd }) }),
        options: given,
      }),
    async close() {
      await api.close();
      await workspace.remove();
    },
  };
}
