import type pg from "pg";
import { ADVISORY_KEY, createDay, nameDay } from "./postgres-schema.ts";

const DAY_MS = 86_400_000;
/** Rows at a time, so that no statement holds up the instances or is given up half done. */
const BATCH_ROWS = 5_000;
const MAX_BATCHES = 200;

/** Today's and tomorrow's partition are there; what is too old is not. */
export async function tidyPostgres(pool: pg.Pool, keepDays: number): Promise<void> {
  await openDays(pool);
  await dropDays(pool, nameDay(new Date(Date.now() - keepDays * DAY_MS)));
  await deleteOld(pool, "plimsoll_facts", keepDays);
  await deleteOld(pool, "plimsoll_ledger", keepDays * 10);
  await deleteOld(pool, "plimsoll_artifact", keepDays * 10);
  await deleteOld(pool, "plimsoll_use", keepDays);
}

/** One instance at a time: two that make the same partition at once would both fail. */
export async function openDays(pool: pg.Pool): Promise<void> {
  const now = Date.now();
  await pool.query(
    `BEGIN; SELECT pg_advisory_xact_lock(${ADVISORY_KEY}); ${createDay(new Date(now))}; ${createDay(new Date(now + DAY_MS))}; COMMIT`,
  );
}

async function dropDays(pool: pg.Pool, oldest: string): Promise<void> {
  const query =
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^plimsoll_journal_[0-9]{8}$' AND relname < $1";
  const { rows } = await pool.query(query, [oldest]);
  for (const { relname } of rows)
    if (/^plimsoll_journal_\d{8}$/.test(String(relname))) await pool.query(`DROP TABLE IF EXISTS ${relname}`);
}

type Table = "plimsoll_facts" | "plimsoll_ledger" | "plimsoll_artifact" | "plimsoll_use";

async function deleteOld(pool: pg.Pool, table: Table, days: number): Promise<void> {
  const old = `SELECT ctid FROM ${table} WHERE at < now() - make_interval(days => $1) LIMIT ${BATCH_ROWS}`;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { rowCount } = await pool.query(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old}))`, [days]);
    if ((rowCount ?? 0) < BATCH_ROWS) return;
  }
}
