import type { Door, Exchange } from "./exchange.ts";
import { cancelWith, failOutgoing, relayAnswer } from "./http/relay-answer.ts";

/** Everything that is not a message: byte for byte, in both directions, as it comes. */
export function passThrough({ incoming, response }: Exchange, { upstream, metrics }: Door): void {
  const { method = "GET", url = "/", rawHeaders, headers } = incoming;
  const outgoing = upstream.open({ method, path: url, rawHeaders });
  cancelWith(response, outgoing, () => metrics.add("client_aborts"));
  outgoing.once("response", (answer) => {
    metrics.add("passed", `status="${answer.statusCode ?? 0}"`);
    relayAnswer(answer, response);
  });
  outgoing.on("error", (error) => {
    if (!response.destroyed) {
      metrics.add("upstream_errors");
      metrics.add("passed", 'status="0"');
    }
    failOutgoing(response, error);
  });
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) outgoing.end();
  else incoming.pipe(outgoing);
  incoming.once("error", () => outgoing.destroy());
}
