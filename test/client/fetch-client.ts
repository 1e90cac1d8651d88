import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fetchPackages } from "./fetch-packages.ts";

export type ClientVersion = "2.1.325" | "2.1.197";

/** Newest first: 2.1.325 records its own requests and has hooks modules, 2.1.197 is the newest that npm gives to Node 20. */
export const CLIENT_VERSIONS: readonly ClientVersion[] = ["2.1.325", "2.1.197"];

/** Returns the path of the client's native binary. */
export function fetchClient(version: ClientVersion): Promise<string> {
  return fetchPackages({ name: version, packages: [`@anthropic-ai/claude-code@${version}`], find: findBinary });
}

async function findBinary(folder: string): Promise<string | null> {
  const scope = join(folder, "node_modules", "@anthropic-ai");
  const names = await readdir(scope).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith("claude-code-"))) {
    for (const file of ["claude", "claude.exe"]) {
      const binary = join(scope, name, file);
      const isThere = await access(binary).then(
        () => true,
        () => false,
      );
      if (isThere) return binary;
    }
  }
  return null;
}
