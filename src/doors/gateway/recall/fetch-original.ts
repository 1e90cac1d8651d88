import type { JsonObject } from "../../../core/json.ts";
import type { ResultPart } from "../../../core/message.ts";
import { answerRecall, type RecallAnswer, refuse } from "../../../survive/recall/answer-recall.ts";
import { SMALLEST_PAGE } from "../../../survive/recall/page-size.ts";
import type { Wanted } from "../../../survive/recall/parse-handles.ts";
import { type Picked, pickParts } from "../../../survive/recall/pick-parts.ts";
import { parseRecall } from "../../../survive/recall/recall-request.ts";
import type { Decision, GatewayStore } from "../store/gateway-store.ts";
import type { Wire } from "../wire.ts";

export interface Shelf {
  readonly store: Pick<GatewayStore, "readOriginal">;
  /** The conversation's own: what lies behind other handles is none of its business, whoever asks. */
  readonly decisions: readonly Decision[];
}

/** What a call of `recall` is answered. Rejects where the store does. */
export async function fetchOriginal(input: JsonObject, shelf: Shelf): Promise<RecallAnswer> {
  const request = parseRecall(input);
  if ("problem" in request) return refuse(request.problem);
  const known = [...new Set(shelf.decisions.flatMap(({ handles }) => handles))];
  const picked = await Promise.all(request.wanted.map((wanted) => pick(wanted, known, shelf)));
  // Pages of one size, so that the second goes on where the first ended, whichever instance gives it.
  return answerRecall(request, picked, { known, pageCharacters: SMALLEST_PAGE });
}

async function pick(wanted: Wanted, known: readonly string[], { store }: Shelf): Promise<Picked> {
  const { name, digits } = wanted;
  const fitting = digits === undefined ? [] : known.filter((handle) => isNamed(handle, digits));
  const [handle, ...more] = fitting;
  const text = handle === undefined || more.length > 0 ? undefined : await store.readOriginal(handle);
  return text === undefined ? { missing: { name, why: "" } } : pickParts(wanted, text);
}

/** A handle has twelve digits of a hash, of which a model may give fewer or all. */
function isNamed(handle: string, digits: string): boolean {
  const own = handle.replace(/^plimsoll:/, "");
  return own.startsWith(digits) || digits.startsWith(own);
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
