import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { SETTINGS } from "./vitest.config.ts";

const asksHowDeep = (file: string): boolean => readFileSync(file, "utf8").includes("support/depth.ts");

/**
 * What takes too long for every time: the files named `*.deep.test.ts`, and those that ask `test/support/depth.ts` how much to do. Those of
 * the real client run with their own configuration, in full if `PLIMSOLL_DEPTH` is `deep`.
 */
const deepFiles = ["src", "test", "lab"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  )
  .filter((file) => !file.startsWith(path.join("test", "client")))
  .filter((file) => file.endsWith(".deep.test.ts") || (file.endsWith(".test.ts") && asksHowDeep(file)));

const config: ViteUserConfig = defineConfig({
  test: {
    ...SETTINGS,
    include: deepFiles,
    env: { PLIMSOLL_DEPTH: "deep" },
  },
});

export default config;
