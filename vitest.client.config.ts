import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Runs of the real client: minutes, not milliseconds, and one at a time, since two cores are easily starved. */
const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ["default", "./test/reporter.ts"],
    include: ["test/client/**/*.test.ts"],
    fileParallelism: false,
    maxConcurrency: 2,
    // The first run downloads two clients of about 100 MB.
    hookTimeout: 15 * 60_000,
    testTimeout: 3 * 60_000,
  },
});

export default config;
