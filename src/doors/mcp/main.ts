import { serve } from "./serve.ts";

declare const PLIMSOLL_VERSION: string;

/** `node mcp.cjs`: the server as the plugin ships it. Standard output belongs to the protocol, so words go beside it. */
serve(PLIMSOLL_VERSION).catch((error: unknown) => {
  process.stderr.write(`plimsoll: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
