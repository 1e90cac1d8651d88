import type { Message } from "../../../core/message.ts";
import type { BlockSource, ParsedRequest } from "../wire.ts";
import type { Span } from "./json-spans.ts";

const COMMA = Buffer.from(",");

/** The body with other messages, in pieces. What is unchanged keeps its bytes. `rendered` has those of changed messages, so each is rendered once. */
export function spliceMessages(
  request: ParsedRequest,
  view: readonly Message[],
  rendered: WeakMap<Message, Buffer>,
): readonly Buffer[] {
  const { wire, bytes, list, spans, conversation } = request;
  if (view === conversation.messages) return [bytes];
  const order = new Map(conversation.messages.map((message, index) => [message, index]));
  const source = createBlockSource(request);
  const pieces: Buffer[] = [bytes.subarray(0, spans[0]?.start ?? list.start + 1)];
  for (let at = 0; at < view.length; at++) {
    const message = view[at];
    if (!message) continue;
    if (at > 0) pieces.push(COMMA);
    const first = order.get(message);
    if (first === undefined) {
      const made = rendered.get(message) ?? wire.bytes.render(conversation.renderMessage(message), source);
      rendered.set(message, made);
      pieces.push(made);
      continue;
    }
    // Unchanged neighbours are sent as one piece, with whatever is between them.
    let last = first;
    while (at + 1 < view.length && view[at + 1] === conversation.messages[last + 1]) {
      at++;
      last++;
    }
    pieces.push(bytes.subarray(spans[first]?.start ?? 0, spans[last]?.end ?? 0));
  }
  pieces.push(bytes.subarray(list.end - 1));
  return pieces;
}

/** The bytes that a block came in. A block made by a layer, or of a message whose content was a plain string, has none. */
function createBlockSource({ wire, bytes, places, spans }: ParsedRequest): BlockSource {
  const known = new Map<number, readonly Span[]>();
  return (raw) => {
    const place = places.get(raw);
    if (!place) return undefined;
    const own = spans[place.message];
    const blocks = known.get(place.message) ?? (own ? wire.bytes.scanBlocks(bytes, own) : []);
    known.set(place.message, blocks);
    const span = blocks[place.block];
    return span && bytes.subarray(span.start, span.end);
  };
}
