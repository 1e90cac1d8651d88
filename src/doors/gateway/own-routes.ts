import type { Door, Exchange } from "./exchange.ts";
import { sendText } from "./http/answer.ts";
import { type Part, renderParts } from "./start-check.ts";

const OWN: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** What a balancer asks, and not the API. */
export function isOwn(url: string | undefined): boolean {
  return OWN.has(url?.split("?")[0] ?? "");
}

/** What only the gateway itself knows. */
export interface OwnState {
  readonly isDraining: boolean;
  check(): Promise<readonly Part[]>;
}

export function answerOwn({ incoming, response }: Exchange, { metrics }: Door, { isDraining, check }: OwnState): void {
  incoming.resume();
  const path = incoming.url?.split("?")[0];
  if (path === "/healthz") sendText(response, 200, "ok\n");
  else if (path === "/metrics") sendText(response, 200, metrics.render());
  else if (isDraining) sendText(response, 503, "draining\n");
  else
    void check().then((parts) => {
      // Without its store the gateway still passes everything on; a balancer may know somebody better.
      const canKeep = parts.some(({ name, isThere }) => name === "store" && isThere);
      const head = canKeep ? "ready\n" : "the store cannot be written\n";
      sendText(response, canKeep ? 200 : 503, `${head}${renderParts(parts)}`);
    });
}
