import type { ClientRequest, IncomingMessage } from "node:http";
import type { Connection, GatewayContext, HttpCall } from "./exchange.ts";
import { sendText } from "./http/answer.ts";
import { awaitAnswer, countFailure, failOutgoing, relayAnswer } from "./http/relay-answer.ts";
import type { Metrics } from "./metrics.ts";
import { type PartCheck, renderChecks } from "./start-check.ts";

/** Everything that is not a message is passed on byte for byte, in both directions, as it comes. */
export function passThrough({ incoming, response }: HttpCall, { upstream, metrics }: GatewayContext): void {
  const { method = "GET", url = "/", rawHeaders, headers } = incoming;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  const open = (isFresh: boolean): ClientRequest => {
    const outgoing = upstream.open({ method, path: url, rawHeaders, isFresh });
    if (hasBody) incoming.pipe(outgoing);
    else outgoing.end();
    incoming.once("error", () => outgoing.destroy());
    return outgoing;
  };
  const fail = (error: Error): void => {
    if (!response.destroyed) {
      countFailure(error, metrics);
      metrics.add("passed", 'status="0"');
    }
    failOutgoing(response, error);
  };
  const isRepeatable = !hasBody && (method === "GET" || method === "HEAD");
  const aborted = (): void => metrics.add("client_aborts");
  void awaitAnswer(response, { open, isRepeatable, aborted, brokenOff: fail })
    .then((answer) => {
      metrics.add("passed", `status="${answer.statusCode ?? 0}"`);
      relayAnswer(answer, response);
    })
    .catch(fail);
}

/** Paths for load balancers, not for the API. */
export const OWN_ROUTES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

export function pathOf({ url = "" }: IncomingMessage): string {
  return url.replace(/\?.*/, "");
}

/** Without a `check`, the gateway is draining. */
export function answerOwn(
  { incoming, response }: Connection,
  metrics: Metrics,
  check: (() => Promise<readonly PartCheck[]>) | undefined,
): void {
  incoming.resume();
  const path = pathOf(incoming);
  if (path === "/healthz") sendText(response, 200, "ok\n");
  else if (path === "/metrics") sendText(response, 200, metrics.render());
  else if (!check) sendText(response, 503, "draining\n");
  else
    void check().then((parts) => {
      // Without its store the gateway still passes everything on, but a balancer may have a better instance.
      const canKeep = parts.some(({ name, isThere }) => name === "store" && isThere);
      const head = canKeep ? "ready\n" : "the gateway cannot write to its store\n";
      sendText(response, canKeep ? 200 : 503, `${head}${renderChecks(parts)}`);
    });
}
