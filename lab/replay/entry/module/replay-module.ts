import { nameHandle } from "../../../../src/fold/marker.ts";
import type { EntryPoint } from "../../entry-point.ts";
import { boardClient } from "./board-client.ts";

/** The module inside a recorded client: told every row, it folds, brings compactions about and answers them. */
export const moduleEntryPoint: EntryPoint = {
  name: "door:module",
  about: "the module inside the client, which can change what was sent only where the client compacts",
  async open(briefing, life) {
    const client = await boardClient(briefing, life);
    return {
      async plan(occasion) {
        const done = await client.request(occasion);
        const originals = client.takeOriginals().map(([hash, text]) => ({ handle: nameHandle(hash), text }));
        return { ...done, edits: [], originals };
      },
      close: async () => undefined,
    };
  },
};
