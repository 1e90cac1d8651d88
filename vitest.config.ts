import { defineConfig } from "vitest/config";

/** Unit and property tests stand beside their source; whole-system tests stand under `test/`. Client runs have a config of their own. */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/client/**"],
    testTimeout: 30_000,
  },
});
