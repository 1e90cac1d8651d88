import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Runs of the real client: minutes, not milliseconds. Two at a time: a third gained 5 % on two cores, and what a screen shows came too late once. */
const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ["default", "./test/reporter.ts"],
    include: ["test/client/**/*.test.ts", "test/**/*.client.test.ts"],
    exclude: process.env.PLIMSOLL_DEPTH === "deep" ? [] : ["test/client/**/*.deep.test.ts"],
    maxWorkers: 2,
    // What many files import is read once by each of them.
    isolate: false,
    pool: "forks",
    maxConcurrency: 2,
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
