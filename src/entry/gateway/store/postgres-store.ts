import { createHash } from "node:crypto";
import pg from "pg";
import { parseJson } from "../../../core/json.ts";
import { errorCode } from "../../../core/render-failure.ts";
import { encodeUtf8 } from "../../../core/utf8.ts";
import type { StoredBytes } from "../../../files/artifacts/read-artifacts.ts";
import { fail, type StoreResult, succeed } from "../../../files/artifacts/store-result.ts";
import { PATIENT_MS } from "../request/patience.ts";
import {
  addItems,
  type GatewayStore,
  type JournalEntry,
  type KnownLedger,
  noLedger,
  parseFacts,
  parseItems,
  type SessionFacts,
} from "./gateway-store.ts";
import { createPendingWrites, type Pending } from "./pending-writes.ts";
import { holdRows, shareRows } from "./postgres-lock.ts";
import { ADVISORY_KEY, MIGRATIONS, openDays, tidyPostgres, VERSION_TABLE } from "./postgres-schema.ts";

/** Journals and facts are kept this long; ledgers and originals ten times as long. */
const KEEP_DAYS = 30;
const HOUR_MS = 3_600_000;
/** Writes and undoes it: read-only users, replicas and full disks all fail here. */
const PROBE = `WITH probe AS (
  INSERT INTO plimsoll_facts (session, facts) VALUES ('probe', '') ON CONFLICT (session) DO UPDATE SET at = now()
) SELECT max(version) AS version FROM plimsoll_version`;
const UNIQUE_VIOLATION = "23505";
const LOCK_NOT_AVAILABLE = "55P03";
/** There is no partition for the row. */
const CHECK_VIOLATION = "23514";
/** Of each pool. A connection is busy for milliseconds, and an instance serves some sixty requests a second. */
const CONNECTIONS = 5;

/** A later version has migrated the database, and this version does not know its tables. */
class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
  readonly code: string;

  constructor(version: number) {
    super();
    this.code = `the database schema is version ${version}, but this Plimsoll supports only versions up to ${MIGRATIONS.length}: update Plimsoll`;
  }
}

/** Brings a database to the newest schema. Safe to run by several at once, and again. */
export async function migratePostgres(url: string): Promise<number> {
  return withClient({ connectionString: url }, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [ADVISORY_KEY]);
    await client.query(VERSION_TABLE);
    const { rows } = await client.query("SELECT coalesce(max(version), 0) AS version FROM plimsoll_version");
    const from = Number(rows[0]?.version ?? 0);
    if (from > MIGRATIONS.length) throw new NewerSchemaError(from);
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index < from) continue;
      await client.query(step);
      await client.query("INSERT INTO plimsoll_version VALUES ($1)", [index + 1]);
    }
    await client.query("COMMIT");
    return MIGRATIONS.length - from;
  });
}

/** Reads one original for a person. Rejects if the database cannot be asked. */
export async function readPostgresOriginal(url: string, handle: string): Promise<StoreResult<StoredBytes>> {
  return withClient({ connectionString: url, connectionTimeoutMillis: 5000 }, (client) => findOriginal(client, handle));
}

async function withClient<Value>(
  settings: pg.ClientConfig,
  use: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/**
 * One database for any number of instances. If two decide for one conversation at once, the second waits for the first and replays
 * its decisions; if the lock fails, the primary key lets only one through. If the database is away, nothing new is decided.
 */
export function createPostgresStore({ url }: { readonly url: string }): GatewayStore {
  const settings = { connectionString: url, max: CONNECTIONS };
  // The database times out before we do: what was given up here must not be written later.
  const limits = { connectionTimeoutMillis: 1000, query_timeout: 2000, options: "-c lock_timeout=1500" };
  const pool = new pg.Pool({ ...settings, ...limits });
  // A holder of a lock needs a second connection: from one pool, all holders would
  // wait for each other. The caller decides how long to wait for the decisions.
  const locks = new pg.Pool({ ...settings, connectionTimeoutMillis: PATIENT_MS, query_timeout: PATIENT_MS });
  // Limits have their own connection, so neither they nor anything else waits for the other.
  const limited = new pg.Pool({ ...settings, ...limits, max: 1 });
  // A connection that breaks while idle is replaced by the next query.
  const pools = [pool, locks, limited];
  for (const each of pools) each.on("error", () => undefined);
  const { facts, flush, ...soon } = createPendingWrites((pending) => writePending(pool, pending));
  let closing: Promise<void> | undefined;
  const tidying = setInterval(() => void tidyPostgres(pool, KEEP_DAYS).catch(() => undefined), HOUR_MS).unref();
  void tidyPostgres(pool, KEEP_DAYS).catch(() => undefined);

  const readLedger: GatewayStore["readLedger"] = async (session, known = noLedger) => {
    const query = "SELECT seq, decisions FROM plimsoll_ledger WHERE session = $1 AND seq > $2 ORDER BY seq";
    const { rows } = await locks.query(query, [session, known.version]);
    return rows.length === 0 ? known : addRows(known, rows);
  };

  return {
    readLedger,
    async holdLedger(session, known = noLedger) {
      try {
        const { rows, release } = await holdRows(locks, session, known.version);
        return { ledger: rows.length === 0 ? known : addRows(known, rows), isHeld: true, release };
      } catch (error) {
        if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
        return { ledger: await readLedger(session, known), isHeld: false, release: () => undefined };
      }
    },
    async appendDecisions(session, items, known) {
      const version = known.version + 1;
      try {
        const query = "INSERT INTO plimsoll_ledger (session, seq, decisions) VALUES ($1, $2, $3)";
        await pool.query(query, [session, version, JSON.stringify(items)]);
        return addItems(known, items, version);
      } catch (error) {
        if (errorCode(error) === UNIQUE_VIOLATION) return undefined;
        throw error;
      }
    },
    async keepOriginals(originals) {
      if (originals.length === 0) return;
      const bytes = originals.map(({ text }) => Buffer.from(encodeUtf8(text)));
      const hashes = bytes.map((content) => createHash("sha256").update(content).digest("hex"));
      const query =
        "INSERT INTO plimsoll_artifact (sha256, bytes) SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING";
      await pool.query(query, [hashes, bytes]);
    },
    async readOriginal(handle) {
      const found = await findOriginal(pool, handle);
      return found.ok ? Buffer.from(found.value.bytes).toString("utf8") : undefined;
    },
    async readFacts(session) {
      const { rows } = await pool.query("SELECT facts FROM plimsoll_facts WHERE session = $1", [session]);
      return facts(session) ?? parseFacts(parseJson(String(rows[0]?.facts)));
    },
    ...soon,
    isAway,
    shareUse: (asks) => shareRows(limited, asks),
    async check() {
      const { rows } = await pool.query(PROBE);
      const version = Number(rows[0]?.version ?? 0);
      if (version > MIGRATIONS.length) throw new NewerSchemaError(version);
    },
    close() {
      clearInterval(tidying);
      closing ??= flush().then(async () => void (await Promise.all(pools.map((each) => each.end()))));
      return closing;
    },
  };
}

/** Nothing listens there, the connection broke, or the server starts, stops or recovers. */
const AWAY: ReadonlySet<string> = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "57P01", "57P02", "57P03", "08006"]);

function isAway(error: unknown): boolean {
  if (AWAY.has(errorCode(error))) return true;
  return (
    error instanceof Error && /^(?:Connection terminated|timeout exceeded when trying to connect)/i.test(error.message)
  );
}

function addRows(known: KnownLedger, rows: readonly Readonly<Record<string, unknown>>[]): KnownLedger {
  const parsed = rows.map((row) => parseItems(parseJson(String(row.decisions))));
  const skipped = parsed.reduce((sum, each) => sum + each.skipped, 0);
  const items = parsed.flatMap((each) => each.items);
  return addItems(known, items, Number(rows.at(-1)?.seq ?? known.version), skipped);
}

/** All in one round trip. Without a database they are dropped and counted. */
async function writePending(pool: pg.Pool, pending: Pending): Promise<void> {
  const [facts, entries] = [new Map(pending.facts), pending.entries.splice(0)];
  pending.facts.clear();
  const lose = (many: number) => (): void => {
    pending.lost += many;
  };
  await Promise.all([
    writeFacts(pool, facts).catch(lose(facts.size)),
    writeEntries(pool, entries).catch(lose(entries.length)),
  ]);
}

async function writeFacts(pool: pg.Pool, facts: ReadonlyMap<string, SessionFacts>): Promise<void> {
  if (facts.size === 0) return;
  const query =
    "INSERT INTO plimsoll_facts (session, facts) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (session) DO UPDATE SET facts = EXCLUDED.facts, at = now()";
  await pool.query(query, [[...facts.keys()], [...facts.values()].map((value) => JSON.stringify(value))]);
}

async function writeEntries(pool: pg.Pool, entries: readonly JournalEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const query =
    "INSERT INTO plimsoll_journal (at, session, person, model, status, entry) SELECT to_timestamp((e->>'atMs')::float8 / 1000), e->>'session', e->>'user', e->>'model', (e->>'status')::int, e FROM jsonb_array_elements($1::jsonb) AS e";
  try {
    await pool.query(query, [JSON.stringify(entries)]);
  } catch (error) {
    if (errorCode(error) !== CHECK_VIOLATION) throw error;
    // The database was away when the day's partition was due.
    await openDays(pool);
    await pool.query(query, [JSON.stringify(entries)]);
  }
}

/** By handle or by the first digits of its hash. The bytes are checked against it. */
async function findOriginal(database: pg.Pool | pg.Client, handle: string): Promise<StoreResult<StoredBytes>> {
  const digits = handle.replace(/^plimsoll:/, "").toLowerCase();
  if (!/^[0-9a-f]{6,64}$/.test(digits))
    return fail("notFound", `"${handle}" is not a handle: pass plimsoll:… or at least 6 digits of a hash`);
  const query = "SELECT sha256, bytes FROM plimsoll_artifact WHERE sha256 >= $1 AND sha256 < $1 || 'g' LIMIT 2";
  const { rows } = await database.query(query, [digits]);
  if (rows.length === 0) return fail("notFound", `nothing is kept under ${handle}`);
  if (rows.length > 1) return fail("ambiguous", `${handle} matches more than one original: give more digits`);
  const [row] = rows;
  const bytes: unknown = row?.bytes;
  const sha256 = String(row?.sha256);
  if (!Buffer.isBuffer(bytes) || createHash("sha256").update(bytes).digest("hex") !== sha256)
    return fail("corrupt", `the bytes kept under ${handle} have changed since they were stored`);
  return succeed({ sha256, bytes });
}
