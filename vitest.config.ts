import { defineConfig, type ViteUserConfig } from "vitest/config";

/** How the short tests run, and the deep ones. */
export const SETTINGS: NonNullable<ViteUserConfig["test"]> = {
  // 169 files took 144 s of processor time with modules of their own, and 54 s with those of their worker. So a module that
  // tests share keeps no state between files, and registers no hook as it is loaded.
  isolate: false,
  // The time of the processor is told of a whole process, so a file has one for itself while it runs.
  pool: "forks",
  maxWorkers: "100%",
  reporters: ["default", "./test/reporter.ts"],
  // Time-outs are for what hangs: none that a busy machine could meet.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 120_000 } },
};

/** Unit and property tests stand next to their source; whole-system tests stand under `test/`. Runs of a client or a browser have configs of their own. */
const config: ViteUserConfig = defineConfig({
  test: {
    ...SETTINGS,
    setupFiles: ["./test/support/fixed-chance.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "lab/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/client/**", "**/*.client.test.ts", "test/browser/**", "**/*.deep.test.ts"],
  },
});

export default config;
