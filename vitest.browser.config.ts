import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The built dashboard in a real browser: one at a time, since two cores are easily starved and some tests watch the clock. */
const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ["default", "./test/reporter.ts"],
    include: ["test/browser/**/*.test.ts"],
    fileParallelism: false,
    hookTimeout: 60_000,
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

export default config;
