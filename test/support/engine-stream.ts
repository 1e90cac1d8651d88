import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { nameProjectFolder } from "../../src/hosts/claude-code/disk/projects.ts";
import { buildPlugin } from "../client/play.ts";

/** What the client's module and the engine said to each other, in the order in which it was said: one line each. */
type Said =
  | { readonly post: number; readonly body: unknown }
  | { readonly reply: number; readonly body: unknown }
  | { readonly aside: unknown };

/** In the place of the folder in which home and project of a recorded session lay. */
const ROOT = "/root-of-the-session";

/** Loaded before the engine: it writes down each post as it comes, and each reply and line as it leaves. */
const RECORDER = (file: string): string => `
const { appendFileSync } = require("node:fs");
const note = (said) => appendFileSync(${JSON.stringify(file)}, JSON.stringify(said) + "\\n");
const http = require("node:http");
const make = http.createServer;
let posts = 0;
http.createServer = (handle) => make((request, response) => {
  const post = ++posts;
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => note({ post, body: JSON.parse(Buffer.concat(pieces).toString()) }));
  const end = response.end.bind(response);
  response.end = (text) => {
    note({ reply: post, body: JSON.parse(text) });
    return end(text);
  };
  handle(request, response);
});
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...rest) => {
  const aside = JSON.parse(text);
  if (aside.ops) note({ aside });
  return write(text, ...rest);
};
`;

/** The module's plugin in a folder; its engine writes into a file what is said. */
export async function buildRecordingPlugin(folder: string, file: string): Promise<void> {
  await buildPlugin(folder, []);
  const engine = path.join(folder, "engine/engine.cjs");
  writeFileSync(engine, `${RECORDER(file)}\n${readFileSync(engine, "utf8")}`);
}

/** What names one folder, made to name another: also in the name that the client gives the folder of a project's sessions. */
function move(text: string, from: string, to: string): string {
  return text.replaceAll(from, to).replaceAll(nameProjectFolder(from), nameProjectFolder(to));
}

/** A recording without the places of the machine that it was made on. */
export function withoutPlaces(recorded: string, root: string): string {
  return move(recorded, root, ROOT);
}

/** What differs from run to run, and no decision depends on: when it was, what was saved by then, and an estimate that a longer path moves. */
function withoutTime(said: unknown, root: string): unknown {
  const text = withoutPlaces(JSON.stringify(said), root)
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d(?:[:-]\d\d(?:[.-]\d+)?)?Z?/g, "TIME")
    .replaceAll(/"saved":\d+/g, '"saved":0')
    .replaceAll(/about \d+ requests/g, "about N requests");
  return JSON.parse(text);
}

export interface Replayed {
  readonly recorded: readonly unknown[];
  readonly replayed: readonly unknown[];
}

/** Gives a new engine what a recorded one was given, in the same order, and collects what either answered. */
export async function replayStream(plugin: string, recorded: string, root: string): Promise<Replayed> {
  const [home, project] = [path.join(root, "home"), path.join(root, "demo")];
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  const moved = move(recorded, ROOT, root);
  // The engine names the client's own recording only where there is one.
  for (const [, name = ""] of moved.matchAll(/"value":"([0-9a-f-]{36})"/g)) {
    const file = path.join(home, ".claude/projects", nameProjectFolder(project), `${name}.jsonl`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "");
  }
  const lines: readonly Said[] = moved
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const engine = spawn(process.execPath, [path.join(plugin, "engine/engine.cjs")], {
    cwd: project,
    env: { HOME: home, PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const said = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
    const { port, token } = JSON.parse((await said.next()).value ?? "{}");
    const replies = new Map<number, Promise<unknown>>();
    const post = async (body: unknown): Promise<unknown> => {
      const init = { method: "POST", headers: { authorization: String(token) }, body: JSON.stringify(body) };
      return (await fetch(`http://127.0.0.1:${port}/`, init)).json();
    };
    const found: { recorded: unknown[]; replayed: unknown[] } = { recorded: [], replayed: [] };
    for (const line of lines) {
      if ("post" in line) {
        replies.set(line.post, post(line.body));
        continue;
      }
      const answered = "reply" in line ? await replies.get(line.reply) : JSON.parse((await said.next()).value ?? "{}");
      found.recorded.push(withoutTime("reply" in line ? line.body : line.aside, root));
      found.replayed.push(withoutTime(answered, root));
    }
    return found;
  } finally {
    engine.kill("SIGKILL");
  }
}
