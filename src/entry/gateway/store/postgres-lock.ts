import pg from "pg";
import { isObject, type JsonObject, numberField, parseObject } from "../../../core/json.ts";
import { grantUse, type SharedUse, type UseAsk, type UseGrant } from "../limits/fleet-limits.ts";
import { PATIENT_MS } from "../request/patience.ts";
import { requireSession } from "./gateway-store.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

/** A conversation's decisions since a version, with the conversation locked until it is released. */
interface HeldRows {
  readonly rows: Rows;
  release(): void;
}

/** Deciding takes milliseconds: an instance that is not done by then will not be soon. */
const WAIT_MS = 400;
/** A table can be locked for a while, by a backup or a migration. The database gives up before the request does. */
const TABLE_WAIT_MS = PATIENT_MS - 100;
/** A stuck instance must not hold up a conversation for longer. */
const HOLD_MS = 5_000;

/**
 * An advisory lock in a transaction of its own: it ends with the transaction, and with the connection of an instance that
 * was killed. One round trip; the rows are read after the lock was taken, so they include the previous holder's decisions.
 */
export async function holdRows(pool: pg.Pool, session: string, version: number): Promise<HeldRows> {
  const client = await pool.connect();
  // The pool listens for errors only while the connection is idle. If the database goes away meanwhile, the next statement fails.
  client.on("error", ignore);
  try {
    const rows = lastRows(await client.query(renderHold(session, version)));
    const release = (): void =>
      void client.query("COMMIT").then(
        () => giveBack(client, false),
        () => giveBack(client, true),
      );
    return { rows, release };
  } catch (error) {
    // Closing the connection ends the transaction, whatever its state.
    giveBack(client, true);
    throw error;
  }
}

function renderHold(session: string, version: number): string {
  // Several statements at once take no parameters, so only names and numbers may get this far.
  requireSession(session);
  if (!Number.isSafeInteger(version)) throw new TypeError("a version must be a whole number");
  return [
    // The previous holder's decisions must be visible, whatever the database's default is.
    "BEGIN ISOLATION LEVEL READ COMMITTED",
    `SET LOCAL lock_timeout = ${WAIT_MS}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${HOLD_MS}`,
    `SELECT pg_advisory_xact_lock(${BigInt.asIntN(64, BigInt(`0x${session.slice(0, 16)}`))})`,
    // A conversation without its past decisions loses its cached prefix, so this wait is worth it.
    `SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`,
    `SELECT seq, decisions FROM plimsoll_ledger WHERE session = '${session}' AND seq > ${version} ORDER BY seq`,
  ].join("; ");
}

function giveBack(client: pg.PoolClient, isBroken: boolean): void {
  client.off("error", ignore);
  client.release(isBroken);
}

function ignore(): void {}

/** A row is locked for milliseconds only. */
const ROW_WAIT_MS = 200;

/** All persons in one transaction of two round trips, by the database's clock, which is the same for every instance. */
export async function shareRows(pool: pg.Pool, given: readonly UseAsk[]): Promise<readonly UseGrant[]> {
  if (given.length === 0) return [];
  // Sorted, so that no two instances deadlock.
  const asks = given.toSorted((one, other) => (one.person < other.person ? -1 : 1));
  const client = await pool.connect();
  let isBroken = true;
  try {
    const rows = lastRows(await client.query(renderLock(asks)));
    const known = new Map(rows.map((row) => [String(row.person), parseUse(parseObject(String(row.use)))]));
    const nowMs = Number(rows[0]?.now_ms);
    const made = asks.map((ask) => grantUse(known.get(ask.person), ask, nowMs));
    await client.query(renderWrite(made.map(({ use, grant }) => [grant.person, JSON.stringify(use)] as const)));
    isBroken = false;
    return made.map(({ grant }) => grant);
  } finally {
    // Closing the connection ends a failed transaction.
    client.release(isBroken);
  }
}

/** Several statements in one round trip take no parameters. */
function renderLock(asks: readonly UseAsk[]): string {
  const names = asks.map(({ person }) => pg.escapeLiteral(person));
  return [
    // What was granted a moment ago must be visible, whatever the database's default is.
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

function lastRows(answers: unknown): Rows {
  const last: unknown = Array.isArray(answers) ? answers.at(-1) : undefined;
  return isObject(last) && Array.isArray(last.rows) ? last.rows : [];
}

/** `undefined` for a new row, and for one that is not understood: the minute then starts over. */
function parseUse(use: JsonObject): SharedUse | undefined {
  const [left, atMs] = [numberField(use, "left"), numberField(use, "atMs")];
  if (left === undefined || atMs === undefined || !Array.isArray(use.holds)) return undefined;
  const holds = use.holds.filter(isObject).flatMap((hold) => {
    const [places, untilMs] = [numberField(hold, "places"), numberField(hold, "untilMs")];
    if (places === undefined || untilMs === undefined) return [];
    return [{ instance: String(hold.instance), places, untilMs }];
  });
  return { left, atMs, holds };
}
