import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Edit } from "../../src/core/edit.ts";
import { type GatewayStore, type JournalEntry, noLedger } from "../../src/entry/gateway/store/gateway-store.ts";
import { createDay, nameDay } from "../../src/entry/gateway/store/postgres-schema.ts";
import { createPostgresStore, migratePostgres } from "../../src/entry/gateway/store/postgres-store.ts";
import { nameOriginal } from "../../src/layers/history/originals.ts";
import { LEDGER_OPENING } from "../../src/layers/ledger/ledger-text.ts";
import { renderSections } from "../../src/layers/ledger/sections.ts";
import { emptyCacheState } from "../../src/models/economics/cache-state.ts";
import { editsOf } from "../support/build.ts";
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
const SESSION = "0123456789abcdef0123456789abcdef";

let database: Postgres;

function open(): GatewayStore {
  const store = createPostgresStore({ url: database.url });
  atEnd(() => store.close());
  return store;
}

function decision(block: string): Edit {
  return editsOf([]).replaceBlock(block, "z\u0000 first, a second");
}

const ENTRY: Omit<JournalEntry, "atMs"> = {
  session: SESSION,
  user: "ada",
  model: "m",
  route: "messages",
  status: 200,
  bytesIn: 1,
  bytesOut: 1,
  edits: 0,
  editsByLayer: {},
  dropped: 0,
  replayed: 0,
  tokensBefore: 0,
  tokensAfter: 0,
  planMs: 1,
  firstByteMs: 1,
  durationMs: 2,
  incidents: [],
  usage: undefined,
};

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

needs(hasPostgres, "no PostgreSQL that this user can run").describe("a database as the store", () => {
  beforeAll(async () => {
    database = await openPostgres();
    expect(await migratePostgres(database.url)).toBe(3);
    expect(await Promise.all([migratePostgres(database.url), migratePostgres(database.url)])).toEqual([0, 0]);
  });
  afterAll(() => database?.remove());

  it("gives back what was decided, letter by letter, and lets one of two deciders through", async () => {
    const [one, other] = [open(), open()];
    const made = await Promise.all(
      [one, other].map((store, index) => store.appendDecisions(SESSION, [decision(`b${index}`)], noLedger)),
    );
    expect(made.filter((ledger) => ledger !== undefined)).toHaveLength(1);
    const [first, second] = [await one.readLedger(SESSION), await other.readLedger(SESSION)];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    expect(first.decisions).toHaveLength(1);
    expect(await one.readLedger(SESSION, first)).toBe(first);
    const more = await other.appendDecisions(SESSION, [decision("c")], second);
    expect((await one.readLedger(SESSION, first)).decisions).toEqual(more?.decisions);
  });

  it("has the second decider wait for the first, and then shows it what the first decided", async () => {
    const [one, other] = [open(), open()];
    const session = "5".repeat(32);
    const first = await one.holdLedger(session);
    let isIn = false;
    const second = other.holdLedger(session).then((held) => {
      isIn = true;
      return held;
    });
    const stranger = await other.holdLedger("6".repeat(32));
    stranger.release();
    expect(isIn).toBe(false);
    const made = await one.appendDecisions(session, [decision("a")], first.ledger);
    expect(isIn).toBe(false);
    first.release();
    const held = await second;
    expect(held.ledger).toEqual(made);
    held.release();
  });

  it("has nobody wait for one that was killed, nor for long for one that stands still", async () => {
    const [one, other] = [open(), open()];
    const session = "7".repeat(32);
    const stuck = await one.holdLedger(session);
    await one.appendDecisions(session, [decision("a")], stuck.ledger);
    const unheld = await other.holdLedger(session);
    expect(unheld).toMatchObject({ isHeld: false, ledger: { decisions: [decision("a")] } });
    const killer = new pg.Client({ connectionString: database.url });
    await killer.connect();
    // As the server does to the connections of a process that is gone.
    await killer.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '%pg_advisory%'",
    );
    await killer.end();
    const held = await other.holdLedger(session);
    expect(held).toMatchObject({ isHeld: true, ledger: { version: 1 } });
    for (const each of [held, unheld, stuck]) each.release();
  });

  it("lets no name but a session's into a statement", async () => {
    await expect(open().holdLedger("x'; DROP TABLE plimsoll_ledger; --")).rejects.toThrow(TypeError);
  });

  it("keeps originals, facts and a journal by the day", async () => {
    const store = open();
    const text = "ä 😀\r\n\u0000";
    const handle = nameOriginal(text);
    await store.keepOriginals([
      { handle, text },
      { handle, text },
    ]);
    expect(await store.readOriginal(handle)).toBe(text);
    expect(await store.readOriginal("plimsoll:000000000000")).toBeUndefined();
    const facts = {
      cache: { ...emptyCacheState, lastUsedMs: 3 },
      requests: 2,
      baseTokens: 9,
      lastSentMessage: "m",
      lastSentHash: "0123",
      outlived: 1,
    };
    store.saveFacts(SESSION, facts);
    expect(await store.readFacts(SESSION)).toEqual(facts);
    store.note({ ...ENTRY, atMs: Date.now() });
    await store.close();
    expect(await open().readFacts(SESSION)).toEqual(facts);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query("SELECT person, tableoid::regclass::text AS day FROM plimsoll_journal");
    await client.end();
    expect(rows).toEqual([{ person: "ada", day: expect.stringMatching(/^plimsoll_journal_\d{8}$/) }]);
  });

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

  it("has a partition for today and tomorrow, drops those that are too old, and forgets old facts and ledgers", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    atEnd(() => client.end());
    const ask = async (query: string) => (await client.query(query)).rows.map((row) => Object.values(row)[0]);
    const days = () => ask("SELECT relname FROM pg_class WHERE relname ~ '^plimsoll_journal_[0-9]' ORDER BY 1");
    const old = new Date(Date.now() - 40 * 86_400_000);
    const recent = new Date(Date.now() - 20 * 86_400_000);
    for (const day of [old, recent]) await client.query(createDay(day));
    for (const [session, age] of [["old", 400] as const, ["young", 200] as const]) {
      const at = `now() - interval '${age} days'`;
      await client.query(`INSERT INTO plimsoll_ledger VALUES ('${session}', 1, ${at}, '[]')`);
      await client.query(`INSERT INTO plimsoll_facts VALUES ('${session}', now() - interval '${age / 10} days', '{}')`);
    }
    open();
    const [today, tomorrow] = [new Date(), new Date(Date.now() + 86_400_000)].map(nameDay);
    await expect.poll(days).toEqual([nameDay(recent), today, tomorrow]);
    await expect
      .poll(() => ask("SELECT session FROM plimsoll_ledger WHERE at < now() - interval '1 day'"))
      .toEqual(["young"]);
    await expect
      .poll(() => ask("SELECT session FROM plimsoll_facts WHERE at < now() - interval '1 day'"))
      .toEqual(["young"]);
    await client.query(`DROP TABLE ${nameDay(recent)}`);
  });

  it("makes the day's partition where it is missing, rather than lose the journal", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    atEnd(() => client.end());
    await client.query("INSERT INTO plimsoll_artifact VALUES ('old', now() - interval '4000 days', '')");
    const store = open();
    // The last thing that it does when it is opened.
    const kept = "SELECT FROM plimsoll_artifact WHERE sha256 = 'old'";
    await expect.poll(async () => (await client.query(kept)).rowCount).toBe(0);
    await client.query(`DROP TABLE ${nameDay(new Date())}`);
    store.note({ ...ENTRY, atMs: Date.now() });
    await store.close();
    expect((await client.query("SELECT person FROM plimsoll_journal")).rows).toEqual([{ person: "ada" }]);
    expect(store.lost()).toBe(0);
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

  it("is not ready for a role that may only read", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    atEnd(() => client.end());
    await client.query(
      "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
    );
    const url = new URL(database.url);
    url.username = "reader";
    const store = createPostgresStore({ url: url.href });
    atEnd(() => store.close());
    await expect(store.check()).rejects.toThrow();
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
