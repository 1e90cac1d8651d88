import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { errorCode } from "../../../core/render-failure.ts";
import { absoluteFolders } from "../../../files/absolute-folders.ts";
import { locateAll } from "../../../hosts/catalogue.ts";
import { type EngineThread, type EngineThreadOptions, startEngineThread } from "../../dashboard/engine-thread.ts";
import { createEventStream, readPage, type ServedPage, serveDashboard } from "../../dashboard/serve.ts";
import type { ShownProgress, StateMessage } from "../../dashboard/wire.ts";
import { locateSample, requireRoots } from "../collect-usage.ts";
import { CliError, type Command, defineCommand, parsePort, type Terminal } from "../command.ts";
import { renderJson } from "../print/style.ts";
import { requireFile } from "../require-text.ts";

export const dashboardCommand: Command = defineCommand({
  name: "dashboard",
  staysOpen: true,
  summary: "Serves a local page with advice, live sessions, the cost of every request, and what-if comparisons",
  positional: { name: "PATH", help: "folders or .jsonl files; by default all recorded sessions" },
  options: {
    port: { value: "N", help: "the port to listen on; by default any free port" },
    open: { help: "open the page in your browser" },
    "no-open": { help: "only print the address of the page (the default)" },
    replay: {
      value: "FILE",
      help: "a file with the output of plimsoll replay --json, for the page's What if view; by default your newest replay",
    },
  },
  examples: {
    "plimsoll dashboard --open": "shows all recorded sessions in your browser",
    "plimsoll dashboard ~/transcripts --port 4100": "serves a folder of transcripts on a port of your choice",
  },
  async run(invocation, terminal) {
    const { environment, directory } = terminal;
    const given = requireRoots(invocation.positionals, terminal);
    const replay = invocation.values.get("replay");
    const isOwn = invocation.positionals.length === 0;
    const served = await open(parsePort(invocation.values, 0), {
      environment: { ...environment },
      directory,
      roots: isOwn ? locateAll(environment) : given,
      isOwn,
      sample: isOwn ? locateSample() || undefined : undefined,
      replay: replay === undefined ? undefined : requireFile(replay, terminal),
    });
    const { url, port } = served;
    terminal.print(
      invocation.flags.has("json")
        ? renderJson({ url, port, processId: process.pid })
        : `${url}\n\nOnly this machine can open the page, and only at this address. Press Ctrl+C to stop.`,
    );
    if (invocation.flags.has("open") && !invocation.flags.has("no-open")) openBrowser(url, terminal);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
    });
    await served.close();
  },
});

/** Port 0 is any free one. */
async function open(port: number, engine: EngineThreadOptions["engine"]): Promise<ServedPage> {
  const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const [page, worker] = [place("./page/"), place("./dashboard-worker.cjs")];
  const unbuilt = "the page has not been built: run npm run build, then node dist/plimsoll.cjs dashboard";
  if (!existsSync(page) || !existsSync(worker)) throw CliError.failed(unbuilt);
  try {
    return await openDashboard(port, page, worker, engine);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EADDRINUSE") throw new CliError(`port ${port} is taken: omit --port, or choose another port`);
    if (code === "EACCES") throw new CliError(`no permission to use port ${port}: choose one above 1023 with --port`);
    throw error;
  }
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** A failure is ignored: the address has already been printed. */
function openBrowser(url: string, terminal: Terminal): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const { environment } = terminal;
  const env = { ...environment, PATH: absoluteFolders(environment).join(path.delimiter) };
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true, env });
  child.once("error", () => terminal.remark(`plimsoll: ${program} could not be run: open the address yourself\n`));
  child.unref();
}

const STARTING: ShownProgress = {
  phase: "accounts",
  doneBytes: 0,
  totalBytes: 0,
  files: 0,
  unreadable: 0,
  accountsOnly: 0,
  isSample: false,
  replay: { isRunning: false, share: 0 },
};

async function openDashboard(port: number, page: string, worker: string, engine: EngineThreadOptions["engine"]) {
  let state: StateMessage = {
    version: 0,
    progress: STARTING,
    refusals: { token: 0, host: 0, origin: 0, method: 0, fault: 0 },
  };
  let thread: EngineThread | undefined;
  const events = createEventStream((isWatched) => thread?.watch(isWatched));
  const report = (change: Partial<StateMessage>) => {
    state = { ...state, ...change };
    events.send("state", JSON.stringify(state));
  };
  report({});
  const start = (): EngineThread =>
    startEngineThread({
      worker,
      engine,
      onAdvance: ({ isChanged, progress, now }) => {
        if (now !== undefined) events.send("now", now);
        report({ progress, version: state.version + (isChanged ? 1 : 0) });
      },
    });
  // The server starts before the thread, so that the address is available without waiting for the thread.
  const served = await serveDashboard({
    port,
    page: readPage(page),
    engine: {
      ask: (question) => {
        thread ??= start();
        return thread.ask(question);
      },
    },
    events,
    onRefusal: (refusals) => report({ refusals }),
  });
  thread ??= start();
  return {
    ...served,
    close: async () => {
      await served.close();
      await thread?.close();
    },
  };
}
