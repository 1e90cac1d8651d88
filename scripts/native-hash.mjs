import path from "node:path";

/** Where a program runs on Node, its own hash takes a fifth of the time of ours. */
export const nativeHash = {
  name: "native-hash",
  setup(setup) {
    setup.onResolve({ filter: /\/sha256\.ts$/ }, () => ({ path: path.resolve("src/files/native-sha256.ts") }));
  },
};
