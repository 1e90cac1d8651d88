import path from "node:path";

/** Where a program runs on Node, its own hash takes a fifth of the time of ours. */
export const nativeHash = replaceHash("src/files/native-sha256.ts");

/** For the library, which may be loaded where there is no Node. */
export const platformHash = replaceHash("src/files/builder/platform-sha256.ts");

function replaceHash(file) {
  const replacement = path.resolve(file);
  return {
    name: "native-hash",
    setup(setup) {
      setup.onResolve({ filter: /\/sha256\.ts$/ }, ({ importer }) =>
        importer === replacement ? undefined : { path: replacement },
      );
    },
  };
}
