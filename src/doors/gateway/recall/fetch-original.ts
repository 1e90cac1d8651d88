import type { JsonObject } from "../../../core/json.ts";
import type { ResultPart } from "../../../core/message.ts";
import type { RecallAnswer } from "../../../survive/recall/answer-recall.ts";
import { SMALLEST_PAGE } from "../../../survive/recall/page-size.ts";
import { nameApart, type RecallPort, recall } from "../../../survive/recall/recall.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { Wire } from "../wire.ts";

export interface Shelf {
  readonly store: Pick<GatewayStore, "readOriginal">;
  /** The hashes of what left this very request: everything else is out of reach, and never named. */
  readonly left: readonly string[];
}

/** What a call of `recall` is answered. Rejects where the store does. */
export function fetchOriginal(input: JsonObject, shelf: Shelf): Promise<RecallAnswer> {
  return recall(input, createPort(shelf));
}

function createPort({ store, left }: Shelf): RecallPort {
  return {
    async stored(digits) {
      const [hash, ...more] = findLeft(left, digits);
      if (more.length > 0) return { several: nameApart(findLeft(left, digits)) };
      return hash === undefined ? undefined : store.readOriginal(hash);
    },
    called: () => undefined,
    known: () => nameApart(left),
    // Pages of one size, so that the second goes on where the first ended, whichever instance gives it.
    pageCharacters: () => SMALLEST_PAGE,
  };
}

/** A model may give fewer digits than a handle has, or all of the hash. */
export function findLeft(left: readonly string[], digits: string): readonly string[] {
  return left.filter((hash) => {
    const own = hash.replace(/^plimsoll:/, "");
    return own.startsWith(digits) || digits.startsWith(own);
  });
}

/** In the parts of a result. */
export function toParts(answer: RecallAnswer, { bytes }: Wire): readonly ResultPart[] {
  if (answer.isError) return [{ kind: "text", text: answer.words }];
  return answer.blocks.map((block): ResultPart => {
    if (typeof block === "string") return { kind: "text", text: block };
    const { mediaType, data } = block;
    const raw = bytes.renderPicture(mediaType, data);
    if (!mediaType.startsWith("image/")) return { kind: "opaque", raw };
    return { kind: "image", mediaType, encodedLength: data.length, raw };
  });
}
