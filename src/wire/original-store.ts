import type { NamedOriginal } from "../layers/history/originals.ts";
import type { HashedOriginals } from "../survive/recall/hash-port.ts";

/** Where what left a conversation is kept: `store` is what `compact` takes, the rest is what recall needs. */
export interface OriginalStore extends HashedOriginals {
  readonly store: (originals: readonly NamedOriginal[]) => void | Promise<void>;
}

/** In memory, for a conversation that ends with its process; `openOriginals` of `plimsoll/files` keeps them on disk. */
export function createOriginals(): OriginalStore {
  const texts = new Map<string, string>();
  return {
    store(originals) {
      for (const { hash, text } of originals) texts.set(hash, text);
    },
    hashes: () => [...texts.keys()],
    read: (hash) => texts.get(hash),
  };
}
