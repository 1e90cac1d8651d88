import type { ServerResponse } from "node:http";

/** An error in the API's own shape, so that every client understands it. The message says that it comes from the gateway. */
export function sendError(
  response: ServerResponse,
  status: number,
  why: string,
  headers: Readonly<Record<string, string | number>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const error = { type: ERROR_TYPES[status] ?? "api_error", message: `plimsoll gateway: ${why}` };
  const bytes = Buffer.from(JSON.stringify({ type: "error", error }));
  const own = { "content-type": "application/json", "content-length": bytes.length };
  response.writeHead(status, { ...headers, ...own }).end(bytes);
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

/** The same, but only its first call counts. */
export function once<Given extends readonly unknown[]>(act: (...given: Given) => unknown): (...given: Given) => void {
  let isDone = false;
  return (...given) => {
    if (isDone) return;
    isDone = true;
    act(...given);
  };
}
