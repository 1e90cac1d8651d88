import path from "node:path";
import type { StoreResult } from "../../../files/store-result.ts";
import { createFileStore } from "./file-store.ts";
import type { GatewayStore } from "./gateway-store.ts";
import { isDatabase } from "./is-database.ts";
import type { StoredOriginal } from "./postgres-original.ts";

/** A store by its name: a database, or a folder as seen from `directory`. */
export async function openStore(name: string, directory: string): Promise<GatewayStore> {
  if (!isDatabase(name)) return createFileStore({ folder: path.resolve(directory, name) });
  const { createPostgresStore } = await import("./postgres-store.ts");
  return createPostgresStore({ url: name });
}

/** How many steps it took; a folder needs none. */
export async function migrateStore(name: string): Promise<number> {
  if (!isDatabase(name)) return 0;
  const { migratePostgres } = await import("./postgres-store.ts");
  return migratePostgres(name);
}

/** An original of a database that gateways share. Rejects where it cannot be asked. */
export async function readDatabaseOriginal(name: string, handle: string): Promise<StoreResult<StoredOriginal>> {
  const { readPostgresOriginal } = await import("./postgres-store.ts");
  return readPostgresOriginal(name, handle);
}
