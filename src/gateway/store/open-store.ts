import path from "node:path";
import { createFileStore } from "./file-store.ts";
import type { GatewayStore } from "./gateway-store.ts";

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

export function isDatabase(name: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(name);
}
