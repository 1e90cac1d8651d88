import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Unit and property tests stand beside their source; whole-system tests stand under `test/`. Runs of a client or a browser have configs of their own. */
export const SETTINGS: NonNullable<ViteUserConfig["test"]> = {
  include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  exclude: ["**/node_modules/**", "test/client/**", "test/browser/**", "**/*.deep.test.ts"],
  // Two thirds of the processor's time went into loading the same modules for every file: a worker loads them once. So a module
  // that tests share keeps no state between files, and registers no hook as it is loaded.
  isolate: false,
  maxWorkers: "100%",
  reporters: ["default", "./test/reporter.ts"],
  // Time-outs are for what hangs: none that a busy machine could meet.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 120_000 } },
};

const config: ViteUserConfig = defineConfig({ test: SETTINGS });

export default config;
