import type { ClientPort } from "./client-port.ts";

/** Where systems keep these tools, those with a store of packages included. */
const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/run/current-system/sw/bin"].join(":");

/** Runs a tool of the system: what the client's own files cannot do. The person's PATH may name folders of a project, and is not searched. */
export function runTool(
  $: ClientPort,
  tool: "chmod" | "rm" | "sed" | "wc",
  words: readonly string[],
): Promise<unknown> {
  return $.process.run(["/usr/bin/env", `PATH=${SYSTEM_FOLDERS}`, tool, ...words]);
}
