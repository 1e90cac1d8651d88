import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Unit and property tests stand beside their source; whole-system tests stand under `test/`. Runs of a client or a browser have configs of their own. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/client/**", "test/browser/**"],
    reporters: ["default", "./test/reporter.ts"],
    testTimeout: 120_000,
  },
});

export default config;
