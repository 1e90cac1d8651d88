import type { StoredBytes } from "../../../files/artifacts/read-artifacts.ts";
import type { StoreResult } from "../../../files/artifacts/store-result.ts";
import { createFileStore } from "./file-store.ts";
import type { GatewayStore } from "./gateway-store.ts";

/** Whether a store's name is the address of a database; otherwise it is a folder. */
export function isDatabase(name: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(name);
}

export async function openStore(name: string): Promise<GatewayStore> {
  if (!isDatabase(name)) return createFileStore({ folder: name });
  // Loaded on demand: the driver is larger than everything else together.
  return (await import("./postgres-store.ts")).createPostgresStore({ url: name });
}

/** Returns how many steps it took to reach the newest schema. */
export async function migrateDatabase(url: string): Promise<number> {
  return (await import("./postgres-store.ts")).migratePostgres(url);
}

/** Rejects if the database cannot be asked. */
export async function readDatabase(url: string, handle: string): Promise<StoreResult<StoredBytes>> {
  return (await import("./postgres-store.ts")).readPostgresOriginal(url, handle);
}
