import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The built dashboard in a real browser, two files at a time: a file waits for its browser more than it computes. */
const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ["default", "./test/reporter.ts"],
    include: ["test/browser/**/*.test.ts"],
    maxWorkers: 2,
    hookTimeout: 60_000,
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

export default config;
