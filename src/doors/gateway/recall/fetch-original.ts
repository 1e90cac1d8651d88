import type { JsonObject } from "../../../core/json.ts";
import type { ResultPart } from "../../../core/message.ts";
import type { RecallAnswer } from "../../../survive/recall/answer-recall.ts";
import { createHashPort } from "../../../survive/recall/hash-port.ts";
import { recall } from "../../../survive/recall/recall.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { Wire } from "../wire.ts";

export interface Shelf {
  readonly store: Pick<GatewayStore, "readOriginal">;
  /** The hashes of what left this very request: everything else is out of reach, and never named. */
  readonly left: readonly string[];
}

/** What a call of `recall` is answered. Rejects where the store does. */
export function fetchOriginal(input: JsonObject, shelf: Shelf): Promise<RecallAnswer> {
  const { store, left } = shelf;
  return recall(input, createHashPort({ hashes: () => left, read: (hash) => store.readOriginal(hash) }));
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
