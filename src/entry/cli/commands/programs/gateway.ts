import { type Command, defineCommand, parsePort } from "../../command.ts";
import { GATEWAY_OPTIONS, renderTotals } from "../../gateway/gateway-options.ts";
import { renderJson } from "../../print/style.ts";

const DEFAULT_PORT = 8787;

export const gatewayCommand: Command = defineCommand({
  name: "gateway",
  summary: "Runs a proxy for the Messages and Responses APIs that keeps every conversation below its token limit",
  staysOpen: true,
  options: {
    port: { value: "N", help: `the port to listen on (${DEFAULT_PORT} by default; 0 for any free port)` },
    host: {
      value: "ADDRESS",
      help: "the address to listen on (127.0.0.1 by default); any other address needs --token-file",
    },
    "token-file": {
      value: "FILE",
      help: "a file with one line per user: name token [requests per minute] [concurrent requests]",
    },
    "max-body-mb": { value: "N", help: "the largest request body to accept (64 by default)" },
    "memory-mb": {
      value: "N",
      help: "how much memory the gateway may use (by default all that the container or machine has)",
    },
    migrate: { help: "update the database of --store to the newest schema, then exit" },
    ...GATEWAY_OPTIONS,
  },
  examples: {
    "plimsoll gateway": "serves clients that run with ANTHROPIC_BASE_URL=http://127.0.0.1:8787",
    "plimsoll gateway --port 0 --json": "listens on any free port and prints it as JSON",
    "plimsoll gateway --host 0.0.0.0 --token-file users.txt": "serves a team, with a token per user",
  },
  async run(invocation, terminal) {
    const { migrateGateway, openListener } = await import("../../gateway/gateway-settings.ts");
    if (invocation.flags.has("migrate")) return terminal.print(await migrateGateway(invocation));
    const port = parsePort(invocation.values, DEFAULT_PORT);
    const isJson = invocation.flags.has("json");
    const { gateway, upstream, store } = await openListener(invocation, terminal, { port });
    terminal.print(
      isJson
        ? renderJson({ url: gateway.url, upstream, store, pid: process.pid })
        : `Listening on ${gateway.url}, forwarding to ${upstream}; the ledger is in ${store}.\nStart a client with ANTHROPIC_BASE_URL=${gateway.url}`,
    );
    // The first signal asks for an end; a second one ends the process at once.
    const ended = new Promise<void>((resolve) => {
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, () => resolve());
    });
    const parts = await gateway.check();
    for (const { name, detail } of parts.filter(({ isThere }) => !isThere))
      terminal.remark(
        name === "store"
          ? `Plimsoll cannot write to the store ${store}. Until it can, the gateway forwards requests without new edits. If the database is new, run this once: plimsoll gateway --migrate\n`
          : `Missing ${name}: ${detail}.\n`,
      );
    await ended;
    await gateway.drain();
    terminal.print(isJson ? renderJson(gateway.totals()) : renderTotals(gateway.totals()));
  },
});
