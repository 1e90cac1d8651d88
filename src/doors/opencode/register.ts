import { server } from "./server.ts";
import { setup } from "./setup.ts";

/** The plugin that OpenCode loads: version 1 calls `server`, version 2 calls `setup`. */
const plugin: { readonly id: string; readonly server: typeof server; readonly setup: typeof setup } = {
  id: "plimsoll",
  server,
  setup,
};

export default plugin;
