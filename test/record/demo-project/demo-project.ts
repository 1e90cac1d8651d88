import { cp, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { renderConfig, renderOrders } from "./render-data.ts";
import { renderLock } from "./render-lock.ts";
import { renderRoutes } from "./render-routes.ts";
import { renderSchemas } from "./render-schemas.ts";
import { renderStatements } from "./render-statements.ts";
import { renderSchemaTests } from "./render-tests.ts";
import { SHOP_RESOURCES } from "./shop-resources.ts";
import { TRADE_RESOURCES } from "./trade-resources.ts";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const WRITTEN = fileURLToPath(new URL("files", import.meta.url));

/** Hand-written files carry it, so that this repository's own tools leave them alone. */
const SUFFIX = ".txt";

/** What `node --import tsx` needs, copied from this repository: the project must not reach for a registry. */
const RUNNER: readonly string[] = ["tsx", "esbuild", "@esbuild"];

/** The files of a small web shop in TypeScript, by path: short ones written by hand, long ones rendered. */
export async function readDemoProject(): Promise<ReadonlyMap<string, string>> {
  const resources = [...SHOP_RESOURCES, ...TRADE_RESOURCES];
  return new Map([
    ...(await readWritten()),
    ["config/shop.json", renderConfig()],
    ["data/orders-2026-03.json", renderOrders()],
    ["package-lock.json", renderLock()],
    ["src/http/routes.ts", renderRoutes(resources)],
    ["src/model/schemas.ts", renderSchemas(resources)],
    ["src/store/statements.ts", renderStatements(resources)],
    ["test/schemas.test.ts", renderSchemaTests(resources)],
  ]);
}

export async function installRunner(cwd: string): Promise<void> {
  for (const name of RUNNER) {
    await cp(join(REPOSITORY, "node_modules", name), join(cwd, "node_modules", name), { recursive: true });
  }
}

async function readWritten(): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(WRITTEN, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(
      async (path) => [relative(WRITTEN, path).slice(0, -SUFFIX.length), await readFile(path, "utf8")] as const,
    ),
  );
}
