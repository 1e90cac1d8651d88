import type { JsonObject } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";
import type { Host } from "../../hosts/host.ts";
import type { Original } from "../../layers/history/originals.ts";
import type { Conversation, Format, WireMessage } from "../../wire/conversation.ts";
import type { PutAway } from "./put-away.ts";
import type { AnswerStream } from "./recall/answer-stream.ts";
import type { Ending, Round } from "./recall/round.ts";
import type { Span } from "./request/json-spans.ts";
import type { FieldReader, RequestFields } from "./request/request-fields.ts";

/** One API's way of writing a conversation. All code that handles a request goes through its wire, and knows no API by name. */
export interface Wire {
  readonly route: string;
  /** The client that is assumed if a request does not say which one sent it. */
  readonly client: Host;
  /** The field of the conversation, and how it is read and written. */
  readonly list: string;
  readonly format: Format;
  /** Number of elements in front that are not conversation but its base, like the system prompt of other APIs. */
  countBase(elements: readonly unknown[]): number;
  /** The elements as messages, each with its number of elements; `undefined` if one is not understood. */
  group(elements: readonly unknown[]): readonly { readonly message: WireMessage; readonly count: number }[] | undefined;
  readonly isLastOpen: boolean;
  /** The fields next to the list; `undefined` if such a request must be sent unchanged. */
  parseFields(reader: FieldReader): RequestFields | undefined;
  /** True if the model cannot have said anything yet, found without parsing; false if that is uncertain. */
  isBeginning(bytes: Buffer): boolean;
  /** Whether the client asks for a summary of its history, or for another replacement of it. */
  isCompaction(request: Pick<ParsedRequest, "raws" | "conversation">, headers: Headers): boolean;
  readonly compaction: WireCompaction;
  readonly bytes: WireBytes;
  readonly answers: WireAnswers;
}

/** How a compaction is answered, and how the client's next requests use the answer. */
interface WireCompaction {
  /** The history to be stored before the compaction is answered. */
  putAway(asked: CompactionCall, whose: PutAway): Original;
  render(asked: CompactionCall, written: WrittenRecord): CompactionBody;
  /** The body with the stored history back in place; the identical one if there is none. Rejects if the store does. */
  expand?(bytes: Buffer, reader: OriginalReader): Promise<Buffer>;
}

/** The text that the client goes on with, and the handle of the history that it replaces. */
export interface WrittenRecord {
  readonly text: string;
  readonly handle: string;
}

export interface CompactionCall {
  readonly request: ParsedRequest;
  readonly session: string;
  readonly user: string;
}

export interface CompactionBody {
  readonly contentType: string;
  readonly body: Buffer;
}

/** The client's history cannot be read now: without it, the conversation would be a different one. */
export class UnexpandedError extends Error {}

export interface OriginalReader {
  readonly user: string;
  readOriginal(handle: string): Promise<string | undefined>;
}

interface WireBytes {
  render(message: WireMessage, source: BlockSource): Buffer;
  scanBlocks(bytes: Buffer, message: Span): readonly Span[];
  renderTool(name: string, about: { readonly description: string; readonly parameters: object }): object;
  /** A picture, or another file, that a model fetches back. */
  renderPicture(mediaType: string, data: string): JsonObject;
}

export interface WireAnswers {
  createStream(tool: string): AnswerStream;
  /** A whole answer that did not come as a stream. */
  parse(answer: Buffer): Round | undefined;
  /** The last answer with the content of all rounds together, each value in the bytes it came in. */
  render(answer: Buffer, facts: AnswerFacts): Buffer;
  /** An upstream error in the middle of a stream: as the API itself reported it, or with these words. */
  renderFailure(words: string, answered: JsonObject | undefined): JsonObject;
  parseUsage(usage: unknown): Usage;
  readonly usageEvents: ReadonlySet<string>;
}

interface AnswerFacts extends Ending {
  readonly first: Buffer;
  readonly shown: readonly Buffer[];
}

export interface ParsedRequest {
  readonly wire: Wire;
  readonly bytes: Buffer;
  /** The list with its brackets. */
  readonly list: Span;
  readonly spans: readonly Span[];
  readonly raws: readonly WireMessage[];
  readonly conversation: Conversation;
  /** The place of each block of the raw messages; grows with the conversation. */
  readonly places: WeakMap<object, BlockPlace>;
  readonly fields: RequestFields;
}

export interface BlockPlace {
  readonly message: number;
  readonly block: number;
}

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type BlockSource = (raw: object) => Buffer | undefined;
