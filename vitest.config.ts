import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Unit and property tests stand beside their source; whole-system tests stand under `test/`. Client runs have a config of their own. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/client/**"],
    reporters: ["default", "./test/reporter.ts"],
    testTimeout: 120_000,
  },
});

export default config;
