import path from "node:path";
import { createFileStore } from "./file-store.ts";
import type { GatewayStore } from "./gateway-store.ts";

/** A store by its name: a folder, seen from `directory`. */
export async function openStore(name: string, directory: string): Promise<GatewayStore> {
  if (/^postgres(?:ql)?:\/\//.test(name))
    throw new TypeError("this version keeps its ledger in a folder only: pass --store DIR");
  return createFileStore({ folder: path.resolve(directory, name) });
}
