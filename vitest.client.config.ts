import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Three at a time take 7 minutes on two cores, two 10; CI, which nobody repeats, leaves the screens more time. */
const WORKERS = process.env.CI ? 2 : 3;

/** Runs of the real client: minutes, not milliseconds. */
const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ["default", "./test/reporter.ts"],
    include: ["test/client/**/*.test.ts", "test/**/*.client.test.ts"],
    exclude: process.env.PLIMSOLL_DEPTH === "deep" ? [] : ["test/client/**/*.deep.test.ts"],
    maxWorkers: WORKERS,
    // What many files import is read once by each of them.
    isolate: false,
    pool: "forks",
    maxConcurrency: WORKERS,
    // The first run downloads two clients of about 100 MB.
    hookTimeout: 15 * 60_000,
    testTimeout: 3 * 60_000,
    // Without it a client has one second to show something.
    expect: { poll: { timeout: 60_000 } },
    // What a screen shows in time depends on what else the machine does; what is wrong is wrong twice.
    retry: 1,
  },
});

export default config;
