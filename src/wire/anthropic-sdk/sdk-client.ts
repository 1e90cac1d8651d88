/**
 * As much of the official SDK (`@anthropic-ai/sdk`, 0.102 or later) as is used here, by its shape: nothing is imported from
 * it, so nothing of it is loaded or has to be installed by people who do without. Its own client fits.
 */
export interface SdkClient {
  readonly middleware: readonly SdkMiddleware[];
  withOptions(options: { middleware: SdkMiddleware[] }): this;
}

/** Sees every request of a client in the Messages API's own form, on Bedrock and Vertex too. May send it more than once. */
interface Middleware {
  // As a method, so that the SDK's own, whose context is of a type of its own, is one of these.
  handle(request: SdkRequest, next: (request: SdkRequest) => Promise<Response>, context: unknown): Promise<Response>;
}

export type SdkMiddleware = Middleware["handle"];

export type SdkRequest = RequestInit & { headers: Headers; url: string };

/** As much of a client as it takes to ask one question. */
export interface SdkAsker {
  readonly messages: {
    stream(
      body: SdkQuestion,
      options: { signal: AbortSignal; maxRetries: number },
    ): { finalMessage(): Promise<{ readonly content: readonly object[] }> };
  };
}

export interface SdkQuestion {
  model: string;
  max_tokens: number;
  messages: { role: "user"; content: string }[];
}
