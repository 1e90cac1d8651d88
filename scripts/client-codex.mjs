import path from "node:path";

/** For the hooks in Codex: what they know of a client is told by its own file. */
export const clientCodex = {
  name: "client-codex",
  setup(setup) {
    setup.onResolve({ filter: /\/claude-code\/client\.ts$/ }, () => ({
      path: path.resolve("src/entry/hook/clients/codex/client.ts"),
      sideEffects: false,
    }));
  },
};
