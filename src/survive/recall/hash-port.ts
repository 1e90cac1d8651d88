import { SMALLEST_PAGE } from "./page-size.ts";
import { nameApart, type RecallPort, type Stored } from "./recall.ts";

/** Originals that are known by their hashes, and where their texts are. */
export interface HashedOriginals {
  /** The whole hash of everything within reach: what is not in here is never given or named. */
  hashes(): readonly string[] | Promise<readonly string[]>;
  read(hash: string): Stored | undefined | Promise<Stored | undefined>;
}

/** For entry points that follow no session: there are originals, and no calls. */
export function createHashPort({ hashes, read }: HashedOriginals): RecallPort {
  return {
    async stored(digits) {
      const named = findByDigits(await hashes(), digits);
      const [hash] = named;
      if (named.length > 1) return { several: nameApart(named) };
      return hash === undefined ? undefined : read(hash);
    },
    called: () => undefined,
    known: async () => nameApart(await hashes()),
    // Pages of one size, so that the second goes on where the first ended, whichever process gives it.
    pageCharacters: () => SMALLEST_PAGE,
  };
}

/** A model may give fewer digits than a handle has, or all of the hash. */
export function findByDigits(hashes: readonly string[], digits: string): readonly string[] {
  return hashes.filter((hash) => {
    const own = hash.replace(/^plimsoll:/, "");
    return own.startsWith(digits) || digits.startsWith(own);
  });
}
