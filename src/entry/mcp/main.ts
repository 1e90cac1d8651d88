import { serve } from "./serve.ts";

declare const PLIMSOLL_VERSION: string;

/** `node mcp.cjs`: the server in the plugin. Stdout belongs to the protocol, so messages go to stderr. */
serve(PLIMSOLL_VERSION).catch((error: unknown) => {
  process.stderr.write(`plimsoll: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
