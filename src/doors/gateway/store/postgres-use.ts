import pg from "pg";
import { parseJson } from "../../../core/json.ts";
import { isRecord } from "../../../wire/is-json.ts";
import { grantUse, type SharedUse, type UseAsk, type UseGrant } from "../limits/grant-use.ts";

/** Whoever has a row is done with it in milliseconds. */
const WAIT_MS = 200;

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
    `SET LOCAL lock_timeout = ${WAIT_MS}`,
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
