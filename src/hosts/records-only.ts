import type { Host } from "./host.ts";

/** What a client has no answer to whose records alone are read: nothing of its requests and its settings is known. */
export const recordsOnly: Pick<Host, "readMessages" | "isCompactionRequest" | "findServed" | "readCompactionSettings"> =
  {
    readMessages: () => [],
    isCompactionRequest: () => false,
    findServed: () => undefined,
    readCompactionSettings: () => ({}),
  };
