import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Unit and property tests stand beside their source; whole-system tests stand under `test/`. Runs of a client or a browser have configs of their own. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/client/**", "test/browser/**"],
    reporters: ["default", "./test/reporter.ts"],
    // Time-outs are for what hangs: none that a busy machine could meet.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
  },
});

export default config;
