import type pg from "pg";
/** Steps from an empty database to the newest schema. Released steps are never changed, only added to. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE plimsoll_ledger (
     session text NOT NULL,
     seq integer NOT NULL,
     at timestamptz NOT NULL DEFAULT now(),
     -- Text and not jsonb: what is replayed must come back in the very order it was written in.
     decisions text NOT NULL,
     PRIMARY KEY (session, seq)
   );
   CREATE TABLE plimsoll_artifact (
     sha256 text PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT now(),
     bytes bytea NOT NULL
   );
   CREATE INDEX plimsoll_artifact_at ON plimsoll_artifact (at);
   CREATE TABLE plimsoll_facts (
     session text PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT now(),
     facts text NOT NULL
   );
   CREATE INDEX plimsoll_facts_at ON plimsoll_facts (at);
   CREATE TABLE plimsoll_journal (
     at timestamptz NOT NULL,
     session text NOT NULL,
     person text NOT NULL,
     model text NOT NULL,
     status integer NOT NULL,
     entry jsonb NOT NULL
   ) PARTITION BY RANGE (at);`,
  "CREATE INDEX plimsoll_ledger_at ON plimsoll_ledger (at)",
  // Written every second and worthless after a crash: unlogged, and with free space for in-place updates.
  `CREATE UNLOGGED TABLE plimsoll_use (
     person text PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT now(),
     use text NOT NULL DEFAULT ''
   ) WITH (fillfactor = 50)`,
];

export const VERSION_TABLE = "CREATE TABLE IF NOT EXISTS plimsoll_version (version integer NOT NULL)";

/** Advisory lock of all instances that migrate or tidy. */
export const ADVISORY_KEY = 0x504c494d;

/** The journal has a partition per day, so that old days are dropped without a scan. */
export function nameDay(day: Date): string {
  return `plimsoll_journal_${day.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

const DAY_MS = 86_400_000;

export function createDay(day: Date): string {
  const from = day.toISOString().slice(0, 10);
  const to = new Date(Date.parse(from) + DAY_MS).toISOString().slice(0, 10);
  return `CREATE TABLE IF NOT EXISTS ${nameDay(day)} PARTITION OF plimsoll_journal FOR VALUES FROM ('${from}') TO ('${to}')`;
}

/** Deletes in batches, so that no statement blocks the instances or times out. */
const BATCH_ROWS = 5_000;
const MAX_BATCHES = 200;

export async function tidyPostgres(pool: pg.Pool, keepDays: number): Promise<void> {
  await openDays(pool);
  await dropDays(pool, nameDay(new Date(Date.now() - keepDays * DAY_MS)));
  for (const table of ["plimsoll_facts", "plimsoll_use"] as const) await deleteOld(pool, table, keepDays);
  for (const table of ["plimsoll_ledger", "plimsoll_artifact"] as const) await deleteOld(pool, table, keepDays * 10);
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

async function deleteOld(pool: pg.Pool, table: `plimsoll_${string}`, days: number): Promise<void> {
  const old = `SELECT ctid FROM ${table} WHERE at < now() - make_interval(days => $1) LIMIT ${BATCH_ROWS}`;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { rowCount } = await pool.query(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old}))`, [days]);
    if ((rowCount ?? 0) < BATCH_ROWS) return;
  }
}
