/** If red: gateways on one database send different prefixes or lose originals. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { GatewayStore } from "../../src/entry/gateway/store/gateway-store.ts";
import { createPostgresStore, migratePostgres } from "../../src/entry/gateway/store/postgres-store.ts";
import { nameOriginal } from "../../src/layers/history/originals.ts";
import { LEDGER_OPENING } from "../../src/layers/ledger/ledger-text.ts";
import { renderSections } from "../../src/layers/ledger/sections.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { needs } from "../support/needs.ts";
import { post, renderBody, type SentMessage, toolLoop } from "./conversation.ts";
import { atEnd, openGateway } from "./open-gateway.ts";
import { hasPostgres, openPostgres, type Postgres } from "./postgres.ts";
import { startGatewayProgram, startProgram } from "./program.ts";
import { openRawApi } from "./raw-api.ts";

/** `PLIMSOLL_FLEET_SESSIONS=500` for the long run. */
const SESSIONS = Number(process.env.PLIMSOLL_FLEET_SESSIONS ?? 40);
const ROUNDS = 6;

let database: Postgres;

function open(): GatewayStore {
  const store = createPostgresStore({ url: database.url });
  atEnd(() => store.close());
  return store;
}

/**
 * Whether one request begins as the one before it did. On a busy machine a plan may take longer than its budget, and its request then
 * leaves as it came: asked again after a kill, its newest message may be folded, and what was never folded is collapsed in the end, which
 * adds a segment of ledger. What has been collapsed stays as it is from then on.
 */
function isContinued(before: readonly string[], after: readonly string[]): boolean {
  if (countSegments(after) > countSegments(before)) return true;
  const shared = Math.min(before.length, after.length) - (before.length === after.length ? 1 : 0);
  return before.slice(0, shared).every((message, index) => message === after[index]);
}

function countSegments(messages: readonly string[]): number {
  return messages.join("\n").split(LEDGER_OPENING).length;
}

needs(hasPostgres, "no PostgreSQL that this user can run").describe("instances with a database as their store", () => {
  beforeAll(async () => {
    database = await openPostgres();
    await migratePostgres(database.url);
  });
  afterAll(() => database?.remove());

  it("gives an original back to a person who has a handle and no gateway, and tells no password", async () => {
    const text = "draught ä\nkeel\n";
    const handle = nameOriginal(text);
    await open().keepOriginals([{ handle, text }]);
    const ask = (...words: readonly string[]) => runPlimsoll(["artifacts", ...words, "--store", database.url]);
    expect(await ask("show", handle)).toMatchObject({ exitCode: 0, output: "draught ä\nkeel\n" });
    expect(JSON.parse((await ask("show", handle, "--json")).output)).toMatchObject({ text });
    expect(await ask("show", `${handle}#12`)).toMatchObject({ exitCode: 3 });
    const segment = renderSections([["12", "line twelve, whole"]]);
    await open().keepOriginals([{ handle: nameOriginal(segment), text: segment }]);
    expect((await ask("show", `${nameOriginal(segment)}#12`)).output.trimEnd()).toBe("line twelve, whole");
    expect(await ask("show", "plimsoll:000000000000")).toMatchObject({ exitCode: 3 });
    expect(await ask("list")).toMatchObject({ exitCode: 2 });
    const away = await runPlimsoll(["artifacts", "show", handle, "--store", "postgres://ada:geheim@127.0.0.1:9/x"]);
    expect(away.exitCode).toBe(1);
    expect(away.remarks).toContain("ECONNREFUSED");
    expect(away.remarks).not.toContain("geheim");
  });

  it("is missed by nobody while it is away: requests leave as they came, or as they last left", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { store: createPostgresStore({ url: database.url }) });
    const history = toolLoop(4, 300);
    await post(gateway.url, renderBody(history.slice(0, 5)));
    await database.stop();
    expect((await post(gateway.url, renderBody(history.slice(0, 7)))).status).toBe(200);
    const other = renderBody(history, { metadata: {} });
    expect((await post(gateway.url, other)).status).toBe(200);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    await database.start();
    const sent = api.requests.map(({ body }) => JSON.parse(String(body)).messages);
    expect(sent[1][4].content[0].content).toBe(sent[0][4].content[0].content);
    expect(api.requests[2]?.body.toString()).toBe(other);
    expect(gateway.totals().incidents).toBe(2);
    await expect.poll(async () => (await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });

  it("holds nobody while a table is locked, and has both instances send the same once it is free", async () => {
    const api = await openRawApi();
    const [first, second] = await Promise.all([open(), open()].map((store) => openGateway(api.url, { store })));
    const history = toolLoop(8, 300);
    const ask = (gateway: { readonly url: string } | undefined, end: number, session: number) => {
      const metadata = { user_id: `user_x_account__session_locked-${session}` };
      return post(gateway?.url ?? "", renderBody(history.slice(0, end), { metadata }));
    };
    const sessions = Array.from({ length: 4 }, (_, session) => session);
    for (const session of sessions) for (const end of [3, 5]) await ask(first, end, session);
    const locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    await locker.query("BEGIN; LOCK TABLE plimsoll_ledger IN ACCESS EXCLUSIVE MODE");
    // One that knows an older past, and one that knows none. All are answered before the lock is given up.
    const asked = [5, 7, 7].flatMap((end) =>
      sessions.flatMap((session) => [ask(second, end, session), ask(first, end, session)]),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    await locker.query("COMMIT");
    await locker.end();
    for (const session of sessions)
      await expect
        .poll(async () => {
          for (const gateway of [first, second]) expect((await ask(gateway, 9, session)).status).toBe(200);
          const [one = "", other] = api.requests
            .slice(-2)
            .map(({ body }) => String(body).replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
          return one === other && one.includes("[FOLDED: ");
        })
        .toBe(true);
  });

  it("refuses a database that a later version has migrated, and says so", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    atEnd(() => client.end());
    await client.query("INSERT INTO plimsoll_version VALUES (99)");
    const done = startProgram(["gateway", "--migrate", "--store", database.url]);
    expect(await done.ended).not.toBe(0);
    expect(done.heard.remarks).toContain("version 99, but this Plimsoll supports only");
    await expect(open().check()).rejects.toThrow();
    await client.query("DELETE FROM plimsoll_version WHERE version = 99");
    await open().check();
  });

  it("has two instances that are asked the same at the same moment send the same", async () => {
    const api = await openRawApi();
    const pair = await Promise.all([open(), open()].map((store) => openGateway(api.url, { store })));
    const history = toolLoop(7, 250);
    for (let end = 1; end <= history.length; end += 2) {
      const body = renderBody(history.slice(0, end), { metadata: { user_id: "user_x_account__session_twins" } });
      await Promise.all(pair.map(async ({ url }) => (await post(url, body)).arrayBuffer()));
      const [left, right] = api.requests.slice(-2).map((request) => String(request.body));
      expect(left, `after ${end} messages`).toBe(right);
    }
    expect(String(api.requests.at(-1)?.body)).toContain("[FOLDED: ");
  });

  it("is migrated by the command, which tells no password", async () => {
    const done = startProgram(["gateway", "--migrate", "--store", database.url]);
    expect(await done.ended).toBe(0);
    expect(done.heard.output).toContain("up to date");
    const failed = startProgram(["gateway", "--migrate", "--store", "postgres://ada:geheim@127.0.0.1:9/x"]);
    expect(await failed.ended).toBe(1);
    expect(failed.heard.remarks).not.toContain("geheim");
  });

  it(`serves ${SESSIONS} sessions from three instances of which one is killed now and then: nothing lost, no prefix changed`, async () => {
    const api = await openRawApi();
    const words = ["--upstream", api.url, "--store", database.url];
    const fleet = await Promise.all([0, 1, 2].map(() => startGatewayProgram(words)));
    let isOver = false;
    const kill = async (): Promise<number> => {
      for (let killed = 0; ; killed++) {
        await new Promise((resolve) => setTimeout(resolve, 800));
        if (isOver) return killed;
        const index = killed % fleet.length;
        fleet[index]?.child.kill("SIGKILL");
        fleet[index] = await startGatewayProgram(words);
      }
    };
    const killing = kill();
    let asked = 0;
    const ask = async (messages: readonly SentMessage[], session: number): Promise<void> => {
      const metadata = { user_id: `user_x_account__session_${session}` };
      for (let attempt = 0; attempt < 1000; attempt++) {
        const gateway = fleet[asked++ % fleet.length];
        const answer = await post(gateway?.url ?? "", renderBody(messages, { metadata })).catch(() => undefined);
        if (answer?.status === 200) {
          await answer.arrayBuffer();
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error("a request was lost");
    };
    const play = async (session: number): Promise<void> => {
      // Few and small enough that nothing is collapsed, which would change a prefix on purpose.
      const history = toolLoop(ROUNDS, 230).map(
        (message): SentMessage => JSON.parse(JSON.stringify(message).replaceAll("hull", `hull ${session}`)),
      );
      for (let end = 1; end <= history.length; end += 2) await ask(history.slice(0, end), session);
    };
    const waiting = Array.from({ length: SESSIONS }, (_, session) => session);
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let session = waiting.shift(); session !== undefined; session = waiting.shift()) await play(session);
      }),
    );
    isOver = true;
    expect(await killing).toBeGreaterThan(0);
    const sessions = new Map<string, (readonly string[])[]>();
    for (const { body } of api.requests) {
      const parsed = JSON.parse(String(body).replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
      const messages: readonly object[] = parsed.messages;
      const key = parsed.metadata.user_id;
      sessions.set(key, [...(sessions.get(key) ?? []), messages.map((message) => JSON.stringify(message))]);
    }
    expect(sessions.size).toBe(SESSIONS);
    let changed = 0;
    let folded = 0;
    for (const sent of sessions.values()) {
      for (const [index, messages] of sent.slice(1).entries()) if (!isContinued(sent[index] ?? [], messages)) changed++;
      if (sent.at(-1)?.some((message) => message.includes("[FOLDED: "))) folded++;
    }
    expect(changed).toBe(0);
    expect(folded).toBeGreaterThan(0);
  });
});
