import { server } from "./server.ts";

/** The plugin that OpenCode 1 loads. */
const plugin: { readonly id: string; readonly server: typeof server } = { id: "plimsoll", server };

export default plugin;
