import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { SETTINGS } from "./vitest.config.ts";

/** What only another user can show: whom a file belongs to, who may read it, and what is said where somebody may not. */
const RIGHTS = /chmod|getuid|EACCES|EPERM|mode & 0o|no permission/;

/** Programs and their private files, which everybody has in a home of their own. */
const ALSO = [
  "test/bad-input.deep.test.ts",
  "test/cli-program.test.ts",
  "test/entry/hostile-project.deep.test.ts",
  "test/entry/hostile-store.test.ts",
  "test/mcp-server.test.ts",
];

const isQuick = (file: string): boolean =>
  file.endsWith(".test.ts") && !/\.(?:deep|client)\.test\.ts$|^test\/(?:client|browser)\//.test(file);

const files = ["src", "test", "lab"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  )
  .filter((file) => ALSO.includes(file) || (isQuick(file) && RIGHTS.test(readFileSync(file, "utf8"))));

/** The files of `npm test` that ask about rights: the second user of `.ci/run` runs these. */
const config: ViteUserConfig = defineConfig({
  test: { ...SETTINGS, setupFiles: ["./test/support/fixed-chance.ts"], include: files },
});

export default config;
