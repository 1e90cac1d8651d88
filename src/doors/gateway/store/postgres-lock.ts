import pg from "pg";
import { parseJson } from "../../../core/json.ts";
import { isRecord } from "../../../wire/is-json.ts";
import { grantUse, type SharedUse, type UseAsk, type UseGrant } from "../limits/grant-use.ts";
import { requireSession } from "./gateway-store.ts";

/** A conversation's decisions since a version, with the conversation locked until it is released. */
export interface HeldRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  release(): void;
}

/** Deciding takes milliseconds: whoever is not through by then is not coming back soon. */
const WAIT_MS = 400;
/** A table can be locked for a while, by a backup or a migration. */
const TABLE_WAIT_MS = 14_000;
/** An instance that stands still in the middle must not hold up a conversation for longer. */
const HOLD_MS = 5_000;

/**
 * An advisory lock in a transaction that does nothing else: it ends with the transaction, and with the connection of an instance that
 * was killed. All in one round trip; the rows are read after the lock was got, and so with all that the one before decided.
 */
export async function holdRows(pool: pg.Pool, session: string, version: number): Promise<HeldRows> {
  const client = await pool.connect();
  // The pool listens only while nobody has it; a database that goes away meanwhile is heard of by the next statement.
  client.on("error", ignore);
  try {
    return { rows: lastRows(await client.query(renderHold(session, version))), release: () => release(client) };
  } catch (error) {
    // With its connection the transaction is over, whatever became of it.
    giveBack(client, true);
    throw error;
  }
}

function renderHold(session: string, version: number): string {
  // Several statements at once take no parameters: what is not a name or a number must not get this far.
  requireSession(session);
  if (!Number.isSafeInteger(version)) throw new TypeError("a version must be a whole number");
  return [
    // What the one before decided must be seen, whatever the database does by default.
    "BEGIN ISOLATION LEVEL READ COMMITTED",
    `SET LOCAL lock_timeout = ${WAIT_MS}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${HOLD_MS}`,
    `SELECT pg_advisory_xact_lock(${BigInt.asIntN(64, BigInt(`0x${session.slice(0, 16)}`))})`,
    // A conversation without the decisions of its past loses its cached prefix: that is worth waiting for.
    `SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`,
    `SELECT seq, decisions FROM plimsoll_ledger WHERE session = '${session}' AND seq > ${version} ORDER BY seq`,
  ].join("; ");
}

function release(client: pg.PoolClient): void {
  client.query("COMMIT").then(
    () => giveBack(client, false),
    () => giveBack(client, true),
  );
}

function giveBack(client: pg.PoolClient, isBroken: boolean): void {
  client.off("error", ignore);
  client.release(isBroken);
}

function ignore(): void {}

/** Whoever has a row is done with it in milliseconds. */
const ROW_WAIT_MS = 200;

/**
 * One transaction for all that are asked about: their rows are locked, read and written, in two round trips. The time is the database's,
 * which is the same for every instance.
 */
export async function shareRows(pool: pg.Pool, given: readonly UseAsk[]): Promise<readonly UseGrant[]> {
  if (given.length === 0) return [];
  // In one order, so that no two instances wait for each other.
  const asks = given.toSorted((one, other) => (one.person < other.person ? -1 : 1));
  const client = await pool.connect();
  let isBroken = true;
  try {
    const rows = lastRows(await client.query(renderLock(asks)));
    const known = new Map(rows.map((row) => [String(row.person), parseUse(parseJson(String(row.use)))]));
    const nowMs = Number(rows[0]?.now_ms);
    const made = asks.map((ask) => grantUse(known.get(ask.person), ask, nowMs));
    await client.query(renderWrite(made.map(({ use, grant }) => [grant.person, JSON.stringify(use)] as const)));
    isBroken = false;
    return made.map(({ grant }) => grant);
  } finally {
    // With its connection a transaction that failed is over.
    client.release(isBroken);
  }
}

/** Several statements in one round trip take no parameters. */
function renderLock(asks: readonly UseAsk[]): string {
  const names = asks.map(({ person }) => pg.escapeLiteral(person));
  return [
    // What was granted a moment ago must be seen, whatever the database does by default.
    "BEGIN ISOLATION LEVEL READ COMMITTED",
    `SET LOCAL lock_timeout = ${ROW_WAIT_MS}`,
    `INSERT INTO plimsoll_use (person) VALUES ${names.map((name) => `(${name})`).join(", ")} ON CONFLICT DO NOTHING`,
    `SELECT person, use, extract(epoch FROM clock_timestamp()) * 1000 AS now_ms FROM plimsoll_use WHERE person IN (${names.join(", ")}) ORDER BY person FOR UPDATE`,
  ].join("; ");
}

function renderWrite(uses: readonly (readonly [person: string, use: string])[]): string {
  const values = uses.map(([person, use]) => `(${pg.escapeLiteral(person)}, ${pg.escapeLiteral(use)})`).join(", ");
  return `UPDATE plimsoll_use AS known SET use = given.use, at = now() FROM (VALUES ${values}) AS given (person, use) WHERE known.person = given.person; COMMIT`;
}

function lastRows(answers: unknown): readonly Readonly<Record<string, unknown>>[] {
  const last: unknown = Array.isArray(answers) ? answers.at(-1) : undefined;
  return isRecord(last) && Array.isArray(last.rows) ? last.rows : [];
}

/** `undefined` for a new row, and for one that nobody here understands: then the minute begins anew. */
function parseUse(value: unknown): SharedUse | undefined {
  if (!isRecord(value) || !Number.isFinite(value.left) || !Number.isFinite(value.atMs)) return undefined;
  if (!Array.isArray(value.holds)) return undefined;
  const holds = value.holds.flatMap((hold) =>
    isRecord(hold) && Number.isFinite(hold.places) && Number.isFinite(hold.untilMs)
      ? [{ instance: String(hold.instance), places: Number(hold.places), untilMs: Number(hold.untilMs) }]
      : [],
  );
  return { left: Number(value.left), atMs: Number(value.atMs), holds };
}
