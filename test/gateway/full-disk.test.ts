import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { createFolder } from "./open-gateway.ts";
import { startGatewayProgram, startProgram } from "./program.ts";
import { openRawApi, type RawRequest, sendCached } from "./raw-api.ts";

/** A disk of a megabyte at `$0`, that only this process and its children see; then it becomes what follows. */
const ON_SMALL_DISK = 'mount -t tmpfs -o size=1m small "$0" && exec "$@"';
const through = (folder: string): readonly string[] => ["unshare", "-rm", "sh", "-c", ON_SMALL_DISK, folder];
const [command = "", ...words] = [...through(import.meta.dirname), "true"];
const canMount = spawnSync(command, words).status === 0;

const session = (name: string) => ({ metadata: { user_id: `user_session_${name}` } });

/** Without the breakpoint, which moves. */
function readSent(request: RawRequest | undefined): readonly unknown[] {
  return JSON.parse(String(request?.body).replaceAll(',"cache_control":{"type":"ephemeral"}', "")).messages;
}

async function start() {
  const api = await openRawApi(sendCached);
  const store = createFolder();
  const { url, child } = await startGatewayProgram(["--upstream", api.url, "--store", store], {}, through(store));
  /** The same folder as the gateway sees it. */
  const disk = `/proc/${child.pid}/root${store}`;
  const filler = path.join(disk, "filler");
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
  };
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

  it("costs nobody an answer, no byte and no prefix: what was decided is done again, what is new leaves whole", async () => {
    const { api, url, disk, fill, free } = await start();
    const history = toolLoop(4, 250);
    const say = async (rounds: number, name: string): Promise<readonly unknown[]> => {
      expect((await post(url, renderBody(history.slice(0, rounds * 2 + 1), session(name)))).status).toBe(200);
      return readSent(api.requests.at(-1));
    };
    await say(0, "a");
    const folded = await say(1, "a");
    expect(JSON.stringify(folded)).toContain("[FOLDED: ");

    fill();
    const full = await say(2, "a");
    expect(full.slice(0, folded.length)).toEqual(folded);
    expect(full.slice(folded.length)).toEqual(history.slice(folded.length, full.length));
    expect(await say(2, "b")).toEqual(history.slice(0, 5));
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/incidents_total\{cause="store"\} [1-9]/);
    expect(listLitter(disk)).toEqual([]);

    free();
    const again = await say(3, "a");
    expect(again.slice(0, full.length)).toEqual(full);
    expect(JSON.stringify(again.at(-1))).toContain("[FOLDED: ");
    for (const [, handle = ""] of JSON.stringify(again).matchAll(/(plimsoll:[0-9a-f]{12})/g)) {
      const shown = startProgram(["artifacts", "show", handle, "--store", disk]);
      expect(await shown.ended).toBe(0);
      expect(JSON.stringify(history)).toContain(JSON.stringify(shown.heard.output).slice(1, -1));
    }
  });
});

/** What was begun and not finished: no file of the store is empty, and none has a name of its own making. */
function listLitter(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "filler")
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => /\.tmp|\.probe/.test(file) || readFileSync(file).length === 0);
}
