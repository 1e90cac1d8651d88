import { createHash } from "node:crypto";
import type pg from "pg";
import { fail, type StoreResult, succeed } from "../../../files/store-result.ts";
import type { StoredOriginal } from "./gateway-store.ts";

/** By handle or by the first digits of its hash. The bytes are checked against it. */
export async function findOriginal(
  database: pg.Pool | pg.Client,
  handle: string,
): Promise<StoreResult<StoredOriginal>> {
  const digits = handle.replace(/^plimsoll:/, "").toLowerCase();
  if (!/^[0-9a-f]{6,64}$/.test(digits))
    return fail("notFound", `"${handle}" is no handle: give plimsoll:… or at least 6 digits of a hash`);
  const query = "SELECT sha256, bytes FROM plimsoll_artifact WHERE sha256 >= $1 AND sha256 < $1 || 'g' LIMIT 2";
  const { rows } = await database.query(query, [digits]);
  if (rows.length === 0) return fail("notFound", `nothing is kept under ${handle}`);
  if (rows.length > 1) return fail("ambiguous", `${handle} stands for more than one original: give more digits`);
  const [row] = rows;
  const bytes: unknown = row?.bytes;
  const sha256 = String(row?.sha256);
  if (!Buffer.isBuffer(bytes) || createHash("sha256").update(bytes).digest("hex") !== sha256)
    return fail("corrupt", `the bytes kept under ${handle} are no longer what was stored`);
  return succeed({ sha256, bytes });
}
