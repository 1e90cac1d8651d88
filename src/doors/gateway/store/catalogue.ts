import { createFileStore } from "./file-store.ts";
import type { GatewayStore, SharedStore } from "./gateway-store.ts";

/** Loaded on demand: a driver is larger than everything else together. */
const SHARED_STORES: readonly SharedStore[] = [
  {
    title: "PostgreSQL",
    address: /^postgres(?:ql)?:\/\//,
    open: async (url) => (await import("./postgres-store.ts")).createPostgresStore({ url }),
    migrate: async (url) => (await import("./postgres-store.ts")).migratePostgres(url),
    readOriginal: async (url, handle) => (await import("./postgres-store.ts")).readPostgresOriginal(url, handle),
  },
];

/** The database whose address a store's name is; `undefined` for a folder. */
export function findShared(name: string | undefined): SharedStore | undefined {
  return name === undefined ? undefined : SHARED_STORES.find(({ address }) => address.test(name));
}

export async function openStore(name: string): Promise<GatewayStore> {
  return findShared(name)?.open(name) ?? createFileStore({ folder: name });
}
