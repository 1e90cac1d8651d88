import type { ServerResponse } from "node:http";

/** An error in the API's own shape, so that every client understands it. The message says that it comes from the gateway. */
export function sendError(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent || response.destroyed) return;
  const type = ERROR_TYPES[status] ?? "api_error";
  sendJson(response, status, { type: "error", error: { type, message: `plimsoll gateway: ${why}` } });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length }).end(bytes);
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
};

/** The same step, but an exception goes to `fault`: in a callback it would end the process, and with it every other exchange. */
export function guard<Given extends readonly unknown[]>(
  step: (...given: Given) => void,
  fault: (error: Error) => void,
): (...given: Given) => void {
  return (...given) => {
    try {
      step(...given);
    } catch (error) {
      fault(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
