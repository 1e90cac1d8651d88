/** If red: two gateways on one database decide differently, or originals and journals are lost there. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { atEnd } from "../../../../test/gateway/open-gateway.ts";
import { hasPostgres, openPostgres, type Postgres } from "../../../../test/gateway/postgres.ts";
import { editsOf } from "../../../../test/support/build.ts";
import { needs } from "../../../../test/support/needs.ts";
import type { Edit } from "../../../core/edit.ts";
import { nameOriginal } from "../../../layers/history/originals.ts";
import { emptyCacheState } from "../../../models/economics/cache-state.ts";
import { type GatewayStore, type JournalEntry, noLedger } from "./gateway-store.ts";
import { createDay, nameDay } from "./postgres-schema.ts";
import { createPostgresStore, migratePostgres, readPostgresOriginal } from "./postgres-store.ts";

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

  it("finds an original for a person by its first digits, and says why there is none", async () => {
    const text = "the draught\n";
    const handle = nameOriginal(text);
    const digits = handle.slice("plimsoll:".length);
    await open().keepOriginals([{ handle, text }]);
    const find = (asked: string) => readPostgresOriginal(database.url, asked);
    for (const asked of [handle, digits.slice(0, 6).toUpperCase()])
      expect(await find(asked)).toMatchObject({ ok: true, value: { bytes: Buffer.from(text) } });
    expect(await find("abc")).toMatchObject({
      ok: false,
      problem: { code: "notFound", detail: expect.stringContaining("6 digits") },
    });
    expect(await find("0".repeat(12))).toMatchObject({ ok: false, problem: { code: "notFound" } });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    atEnd(() => client.end());
    await client.query("INSERT INTO plimsoll_artifact VALUES ($1, now(), '')", [`${digits.slice(0, 8)}ffff`]);
    expect(await find(digits.slice(0, 8))).toMatchObject({ ok: false, problem: { code: "ambiguous" } });
    await client.query("UPDATE plimsoll_artifact SET bytes = 'other' WHERE sha256 LIKE $1", [`${digits}%`]);
    expect(await find(handle)).toMatchObject({ ok: false, problem: { code: "corrupt" } });
    expect(await open().readOriginal(handle)).toBeUndefined();
  });

  it("shares a person's limits between instances, by the names that people have", async () => {
    const [one, other] = [open(), open()];
    const ask = (instance: string, person: string, wantedRequests: number) => ({
      ...{ instance, person, wantedRequests, requestsPerMinute: 60, concurrent: 8 },
      ...{ wantedPlaces: 5, isAhead: false, unused: 0, places: 0 },
    });
    expect(await one.shareUse?.([])).toEqual([]);
    // As they were asked for, or in another order: each says whose it is.
    const first = await one.shareUse?.([ask("a", "o'hara", 50), ask("a", "ada", 60)]);
    expect(first).toHaveLength(2);
    expect(first).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ person: "o'hara", requests: 50, places: 5 }),
        expect.objectContaining({ person: "ada", requests: 60, places: 5 }),
      ]),
    );
    const [second] = (await other.shareUse?.([ask("b", "o'hara", 50)])) ?? [];
    expect(second?.places).toBe(3);
    expect(second?.requests).toBeGreaterThanOrEqual(10);
    expect(second?.requests).toBeLessThan(50);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    atEnd(() => client.end());
    // A row that a later version may have written: the minute starts over.
    await client.query("UPDATE plimsoll_use SET use = '{\"left\":1}'");
    expect(await other.shareUse?.([ask("b", "ada", 60)])).toMatchObject([{ requests: 60, places: 5 }]);
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
    const [today, tomorrow] = [new Date(), new Date(Date.now() + 86_400_000)].map(nameDay);
    await client.query(`DROP TABLE IF EXISTS ${tomorrow}`);
    open();
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

  it("is left alone where a later version has migrated it, and says what to do", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    atEnd(() => client.end());
    await client.query("INSERT INTO plimsoll_version VALUES (99)");
    const why = { code: expect.stringMatching(/schema is version 99.*update Plimsoll$/) };
    await expect(migratePostgres(database.url)).rejects.toMatchObject(why);
    await client.query("DELETE FROM plimsoll_version WHERE version = 99");
    expect(await migratePostgres(database.url)).toBe(0);
  });
});
