import type { Door, Exchange } from "./exchange.ts";
import { sendText } from "./http/answer.ts";
import { within } from "./request/within.ts";
import type { GatewayStore } from "./store/gateway-store.ts";

const CHECK_MS = 1_000;

const OWN: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** What a balancer asks, and not the API. */
export function isOwn(url: string | undefined): boolean {
  return OWN.has(url?.split("?")[0] ?? "");
}

export function answerOwn({ incoming, response }: Exchange, { metrics, store }: Door, isDraining: boolean): void {
  incoming.resume();
  const path = incoming.url?.split("?")[0];
  if (path === "/healthz") sendText(response, 200, "ok\n");
  else if (path === "/metrics") sendText(response, 200, metrics.render());
  else if (isDraining) sendText(response, 503, "draining\n");
  else
    void isReady(store).then((can) =>
      // Without its store the gateway still passes everything on; a balancer may know somebody better.
      can ? sendText(response, 200, "ready\n") : sendText(response, 503, "the store cannot be written\n"),
    );
}

export function isReady(store: GatewayStore): Promise<boolean> {
  return within(CHECK_MS, store.check()).then(
    () => true,
    () => false,
  );
}
