import type pg from "pg";
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
    const answers: unknown = await client.query(renderHold(session, version));
    const last: unknown = Array.isArray(answers) ? answers.at(-1) : undefined;
    return { rows: listRows(last), release: () => release(client) };
  } catch (error) {
    // With its connection the transaction is over, whatever became of it.
    giveBack(client, true);
    throw error;
  }
}

function renderHold(session: string, version: number): string {
  // Several statements at once take no parameters: what is not a name or a number must not get this far.
  requireSession(session);
  if (!Number.isSafeInteger(version)) throw new TypeError("a version is a whole number");
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

function listRows(answer: unknown): HeldRows["rows"] {
  return typeof answer === "object" && answer !== null && "rows" in answer && Array.isArray(answer.rows)
    ? answer.rows
    : [];
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
