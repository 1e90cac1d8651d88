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

/** One API's way of writing a conversation. Whatever a request goes through asks its wire, and knows none by name. */
export interface Wire {
  /** For the journal and the metrics. */
  readonly route: string;
  /** Whose words are taken where a request does not say what client sent it. */
  readonly client: Host;
  /** Which headers name a session and its subagent. */
  readonly names: NonNullable<Host["headers"]>;
  /** The field that the conversation stands in, and how it is read and written. */
  readonly list: string;
  readonly format: Format;
  /** So many elements in front are no conversation but what it stands on, like the system prompt of other APIs. */
  countBase(elements: readonly unknown[]): number;
  /** The elements of that list as messages, each with the number of elements it is made of; `undefined` where one is none. */
  group(elements: readonly unknown[]): readonly { readonly message: WireMessage; readonly count: number }[] | undefined;
  /** The last message of a request may go on in the next one. */
  readonly isLastOpen: boolean;
  /** What stands beside the list; `undefined` where such a request must leave as it came. */
  parseFields(reader: FieldReader): RequestFields | undefined;
  /** Whether the model can have said nothing in it yet, told without parsing it; where that cannot be told so, it cannot. */
  isBeginning(bytes: Buffer): boolean;
  /** Whether the client asks for a summary of its history, or for whatever else it goes on with in its place. */
  isCompaction(asked: CompactionSigns): boolean;
  readonly compaction: WireCompaction;
  readonly bytes: WireBytes;
  readonly answers: WireAnswers;
}

/** What a client gets that asks for a compaction, and what becomes of it in its next requests. */
export interface WireCompaction {
  /** The history, as it is kept before the compaction is answered. */
  putAway(asked: CompactionCall, whose: PutAway): Original;
  render(asked: CompactionCall, written: WrittenRecord): CompactionBody;
  /** The body with what was put away in its place again; the identical one where nothing was. Rejects where the store does. */
  expand?(bytes: Buffer, reader: OriginalReader): Promise<Buffer>;
}

/** What the client goes on with, and the handle of the history that it replaces. */
export interface WrittenRecord {
  readonly text: string;
  readonly handle: string;
}

export interface CompactionCall {
  readonly request: ParsedRequest;
  readonly session: string;
  /** Whose it is. */
  readonly user: string;
}

export interface CompactionBody {
  readonly contentType: string;
  readonly body: Buffer;
}

/** A client goes on with what cannot be read now: sent without it, its conversation would be another one. */
export class UnexpandedError extends Error {}

export interface OriginalReader {
  readonly user: string;
  readOriginal(handle: string): Promise<string | undefined>;
}

export interface CompactionSigns {
  readonly raws: readonly WireMessage[];
  readonly messages: Parameters<Host["isCompactionRequest"]>[0];
  readonly headers: Headers;
}

/** How a message that was changed is written. */
export interface WireBytes {
  render(message: WireMessage, source: BlockSource): Buffer;
  /** Where the blocks of a message stand. */
  scanBlocks(bytes: Buffer, message: Span): readonly Span[];
  /** The tool behind the client's last one. */
  renderTool(name: string, about: { readonly description: string; readonly parameters: object }): object;
  /** A picture, or another file, that a model fetches back. */
  renderPicture(mediaType: string, data: string): JsonObject;
}

/** How an answer is read and written. */
export interface WireAnswers {
  createStream(tool: string): AnswerStream;
  /** A whole answer that did not come as a stream. */
  parse(answer: Buffer): Round | undefined;
  /** The last answer with what all of them together have shown, each value in the bytes that it came as. */
  render(answer: Buffer, told: ToldAnswer): Buffer;
  /** What went wrong upstream, in the middle of a stream: as the API itself said, or in these words. */
  renderFailure(words: string, told: JsonObject | undefined): JsonObject;
  parseUsage(usage: unknown): Usage;
  /** Events of a stream that tell of usage. */
  readonly usageEvents: ReadonlySet<string>;
}

export interface ToldAnswer extends Ending {
  readonly first: Buffer;
  readonly shown: readonly Buffer[];
}

/** The body of a request: where its messages stand, and what they say. */
export interface ParsedRequest {
  readonly wire: Wire;
  readonly bytes: Buffer;
  /** The list with its brackets. */
  readonly list: Span;
  readonly spans: readonly Span[];
  readonly raws: readonly WireMessage[];
  readonly conversation: Conversation;
  /** Where each block of the raw messages stands; grows with the conversation. */
  readonly places: WeakMap<object, BlockPlace>;
  readonly fields: RequestFields;
  /** So many messages are byte for byte those of the request that was known before. */
  readonly kept: number;
}

export interface BlockPlace {
  readonly message: number;
  readonly block: number;
}

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The bytes that a block came as, where it came as any. */
export type BlockSource = (raw: object) => Buffer | undefined;
