import type { Door, Exchange } from "./exchange.ts";
import { cancelWith, failOutgoing, isBroken, relayAnswer } from "./http/relay-answer.ts";

/** Everything that is not a message: byte for byte, in both directions, as it comes. */
export function passThrough(exchange: Exchange, door: Door, isSecond = false): void {
  const { incoming, response } = exchange;
  const { upstream, metrics } = door;
  const { method = "GET", url = "/", rawHeaders, headers } = incoming;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  const outgoing = upstream.open({ method, path: url, rawHeaders, isFresh: isSecond });
  const isRepeatable = !hasBody && (method === "GET" || method === "HEAD");
  let isAnswered = false;
  cancelWith(response, outgoing, () => metrics.add("client_aborts"));
  outgoing.once("response", (answer) => {
    isAnswered = true;
    metrics.add("passed", `status="${answer.statusCode ?? 0}"`);
    relayAnswer(answer, response);
  });
  outgoing.on("error", (error) => {
    // A kept connection that had been closed meanwhile says nothing about the upstream.
    const isStale = outgoing.reusedSocket && !isAnswered && isBroken(error);
    if (isStale && !isSecond && isRepeatable && !response.destroyed) return passThrough(exchange, door, true);
    if (!response.destroyed) {
      metrics.add("upstream_errors");
      metrics.add("passed", 'status="0"');
    }
    failOutgoing(response, error);
  });
  if (hasBody) incoming.pipe(outgoing);
  else outgoing.end();
  incoming.once("error", () => outgoing.destroy());
}
