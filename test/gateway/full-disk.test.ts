/** If red: a full disk changes prefixes or loses what was decided. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { needs } from "../support/needs.ts";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi, type RawAnswer, type RawRequest, sendCached } from "./raw-api.ts";

/** A disk of a megabyte at `$0`, that only this process and its children see; then it becomes what follows. */
const ON_SMALL_DISK = 'mount -t tmpfs -o size=1m small "$0" && exec "$@"';
const through = (folder: string): readonly string[] => ["unshare", "-rm", "sh", "-c", ON_SMALL_DISK, folder];
const [command = "", ...words] = [...through(import.meta.dirname), "true"];
const canMount = spawnSync(command, words).status === 0;

const session = (name: string) => ({ metadata: { user_id: `user_session_${name}` } });

const ROUNDS = 10;
const HISTORY = toolLoop(ROUNDS, 250);
/** In this round, while the disk is full, the model fetches back the first result. */
const RECALL_ROUND = 4;
const RECALLED = "toolu_recall";

/** Without the breakpoint, which moves. */
function readSent(request: RawRequest | undefined): readonly unknown[] {
  return JSON.parse(String(request?.body).replaceAll(',"cache_control":{"type":"ephemeral"}', "")).messages;
}

/** An API whose answer is what the client's history has next, and in one round a recall before that. */
const answerNext: RawAnswer = (request, response, index) => {
  const sent = readSent(request);
  const text = JSON.stringify(sent);
  const round = sent.length - (text.includes(RECALLED) ? 3 : 1);
  const [handle] =
    round / 2 === RECALL_ROUND && !text.includes(RECALLED) ? (/plimsoll:[0-9a-f]{12}/.exec(text) ?? []) : [];
  const recall = [{ type: "tool_use", id: RECALLED, name: "plimsoll_recall", input: { handle } }];
  const content = handle === undefined ? (HISTORY[round + 1]?.content ?? [{ type: "text", text: "Aye." }]) : recall;
  sendCached(request, response, index, { content, stop_reason: "tool_use" });
};

/** A gateway whose store is on a small disk, held by a process that does nothing else. */
async function start() {
  const api = await openRawApi(answerNext);
  const place = createFolder();
  const [holder = "", ...words] = [...through(place), "sh", "-c", "echo mounted; exec sleep 3600"];
  const child = spawn(holder, words, { stdio: ["ignore", "pipe", "inherit"] });
  atEnd(async () => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  /** The same folder as that process sees it. */
  const disk = `/proc/${child.pid}/root${place}`;
  const filler = path.join(disk, "filler");
  const open = () => openGateway(api.url, { folder: disk });
  const { url } = await open();
  return {
    api,
    url,
    disk,
    ask: async (at: string) => (await fetch(`${url}${at}`)).status,
    /** In pieces down to one byte: where a name alone still finds room nothing else does. */
    fill: () => {
      for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1)
        for (let isRoom = true; isRoom; )
          try {
            writeFileSync(filler, Buffer.alloc(bytes), { flag: "a" });
          } catch {
            isRoom = false;
          }
    },
    free: () => rmSync(filler),
    /** Another one serves the same folder, and knows nothing of this one. */
    replace: async () => (await open()).url,
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Each round's messages as they reached the API, at the end of the round. `before` is done before the round of its number. */
async function converse({ api, url }: Started, before: Readonly<Record<number, () => void>> = {}) {
  const sent: string[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    before[round]?.();
    expect((await post(url, renderBody(HISTORY.slice(0, round * 2 + 1), session("a")))).status).toBe(200);
    sent.push(JSON.stringify(readSent(api.requests.at(-1))));
  }
  return sent;
}

needs(canMount, "no disk can be mounted here").describe("a store whose disk is full", () => {
  it("is told to a balancer as not ready, and as ready once there is room again", async () => {
    const { ask, fill, free } = await start();
    expect([await ask("/healthz"), await ask("/readyz")]).toEqual([200, 200]);
    fill();
    for (let times = 0; times < 3; times++) expect([await ask("/healthz"), await ask("/readyz")]).toEqual([200, 503]);
    free();
    expect([await ask("/healthz"), await ask("/readyz")]).toEqual([200, 200]);
  });

  it("changes no prefix: each request is the one that a healthy disk sends, while it is full and after", async () => {
    const healthy = await converse(await start());
    const starting = await start();
    const full = await converse(starting, { 2: starting.fill, 7: starting.free });
    expect(healthy.slice(1).every((sent, at) => sent.startsWith(healthy[at]?.slice(0, -1) ?? ""))).toBe(true);
    expect(full).toEqual(healthy);
    expect(full.at(-1)).toContain(RECALLED);

    const { ask, url, disk } = starting;
    expect(await ask("/readyz")).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /store_errors_total\{operation="keep_originals"\} [1-9]/,
    );
    expect(listLitter(disk)).toEqual([]);
    const handles = new Set(full.at(-1)?.match(/plimsoll:[0-9a-f]{12}/g));
    expect(handles.size).toBe(ROUNDS);
    const written = createFileStore({ folder: disk });
    for (const handle of handles)
      expect(JSON.stringify(HISTORY)).toContain(JSON.stringify(await written.readOriginal(handle)));
  });

  it("loses nothing if the gateway ends before there is room: the next one sends what it does not know whole", async () => {
    const { api, url, fill, replace } = await start();
    const say = async (at: string, rounds: number): Promise<readonly unknown[]> => {
      expect((await post(at, renderBody(HISTORY.slice(0, rounds * 2 + 1), session("a")))).status).toBe(200);
      return readSent(api.requests.at(-1));
    };
    await say(url, 0);
    await say(url, 1);
    fill();
    expect(JSON.stringify((await say(url, 2)).at(-1))).toContain("[FOLDED: ");
    const after = await say(await replace(), 3);
    expect(JSON.stringify(after[2])).toContain("[FOLDED: ");
    expect(after.slice(3, 6)).toEqual(HISTORY.slice(3, 6));
  });
});

/** What was begun and not finished: no file of the store is empty, and none has a name of its own making. */
function listLitter(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "filler")
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => /\.tmp|\.probe/.test(file) || readFileSync(file).length === 0);
}
