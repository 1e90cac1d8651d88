import type { JsonObject } from "../../core/json.ts";
import type { Originals } from "../../files/originals.ts";
import type { StoredBytes } from "../../files/read-artifacts.ts";
import { fail, type StoreResult, succeed } from "../../files/store-result.ts";
import { parseRecall } from "../../survive/recall/recall-request.ts";

/** Another store that originals lie in, such as a gateway's. May reject. */
export interface Elsewhere {
  read(handle: string): Promise<StoreResult<StoredBytes>>;
}

export interface WithElsewhere {
  readonly originals: Originals;
  /** Fetches what a call of `recall` will ask for, so that it is at hand when it does. */
  fetch(input: JsonObject): Promise<void>;
}

/** So many originals are held on to. */
const MAX_HELD = 50;

/** The project's own come first. A store that does not answer is told apart from one that does not have it. */
export function addElsewhere(own: Originals, elsewhere: Elsewhere): WithElsewhere {
  const held = new Map<string, StoredBytes>();
  const unanswered = new Set<string>();
  return {
    originals: {
      ...own,
      read(name) {
        const found = own.read(name);
        const digits = name.replace(/^plimsoll:/, "");
        const other = found.ok ? undefined : held.get(digits);
        if (other) return succeed(other);
        return unanswered.has(digits) ? fail("away", "the store cannot be read now, try again later") : found;
      },
    },
    async fetch(input) {
      const request = parseRecall(input);
      if ("problem" in request) return;
      for (const { digits } of request.wanted) {
        if (digits === undefined || own.read(digits).ok) continue;
        const found = await elsewhere.read(digits).catch(() => undefined);
        if (found) unanswered.delete(digits);
        else unanswered.add(digits);
        if (found?.ok) held.set(digits, found.value);
        const [oldest] = held.keys();
        if (held.size > MAX_HELD && oldest !== undefined) held.delete(oldest);
      }
    },
  };
}
