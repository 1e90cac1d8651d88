/** Steps from an empty database to the newest schema; what was released is never changed, only added to. */
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
  // Written every second and worth nothing after a crash: it is not logged, and its rows have room to change in their place.
  `CREATE UNLOGGED TABLE plimsoll_use (
     person text PRIMARY KEY,
     at timestamptz NOT NULL DEFAULT now(),
     use text NOT NULL DEFAULT ''
   ) WITH (fillfactor = 50)`,
];

export const VERSION_TABLE = "CREATE TABLE IF NOT EXISTS plimsoll_version (version integer NOT NULL)";

/** One number for all instances that migrate or tidy at the same moment. */
export const ADVISORY_KEY = 0x504c494d;

/** Partitions of the journal: a day each, so that old ones go without a scan. */
export function nameDay(day: Date): string {
  return `plimsoll_journal_${day.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

export function createDay(day: Date): string {
  const from = day.toISOString().slice(0, 10);
  const to = new Date(Date.parse(from) + 86_400_000).toISOString().slice(0, 10);
  return `CREATE TABLE IF NOT EXISTS ${nameDay(day)} PARTITION OF plimsoll_journal FOR VALUES FROM ('${from}') TO ('${to}')`;
}
