import type { Edit } from "../core/edit.ts";
import type { Ledger } from "../core/layer.ts";
import { sha256 } from "../core/sha256.ts";
import type { NamedOriginal } from "../layers/history/originals.ts";
import type { HashedOriginals } from "../survive/recall/recall.ts";
import type { AdapterEvents, AdapterOptions } from "./adapter-options.ts";
import { checkOptions } from "./compaction-options.ts";
import { type Compactor, createUnchecked, type LedgerKeeper, type PreparedRequest } from "./compactor.ts";
import type { FormatName } from "./formats.ts";
import { createRecallTool, type RecallTool } from "./recall-tool.ts";

/** A decision as it is stored: with the full hashes of its originals, because a handle shows twelve digits only. */
type StoredEdit = Edit & { readonly originals?: readonly string[] };

/** What was read of one conversation, and how far. */
interface KnownDecisions {
  readonly decisions: readonly StoredEdit[];
  readonly version: number;
}

/**
 * Where conversations are between their requests: `createMemoryStore()`, or a store of your own, such as a table of your database.
 * Originals are written before the decision that removes them; a decision made on an outdated ledger is refused.
 */
export interface ConversationStore<Known extends KnownDecisions = KnownDecisions> {
  readLedger(session: string, known?: Known): Promise<Known>;
  appendDecisions(session: string, edits: readonly StoredEdit[], known: Known): Promise<Known | undefined>;
  keepOriginals(originals: readonly NamedOriginal[], session: string): Promise<void>;
  readOriginal(handle: string, session: string): Promise<string | undefined>;
}

export interface ConversationOptions extends Omit<AdapterOptions, "ledger" | "store"> {
  /** Of this conversation, such as your thread's: only who gives the same id to the same store reaches what it holds. */
  readonly id: string;
  readonly store: ConversationStore;
  /** The format of `prepare`; an SDK's adapter knows its own. */
  readonly format?: FormatName | undefined;
}

/** One conversation: its messages, its recall and its ledger, and nothing of any other. */
export interface PlimsollConversation extends HashedOriginals {
  readonly id: string;
  readonly options: AdapterEvents;
  /** The messages to send, in the format of the options. */
  prepare<Messages extends readonly object[]>(messages: Messages): Promise<PreparedRequest<Messages>>;
  /** What the model calls to get back what left; adapters have it in the form of their SDK. */
  readonly tool: RecallTool;
  ledger(): Promise<Ledger>;
  /** For an adapter: the same conversation in another format. */
  open(format: FormatName): Compactor;
}

export function createConversation(options: ConversationOptions): PlimsollConversation {
  const { id, store, onPrepared, onFailure, ...rest } = options ?? {};
  if (typeof id !== "string" || id === "")
    throw new TypeError("id must be the name of one conversation, such as the id of your thread");
  if (typeof store?.appendDecisions !== "function")
    throw new TypeError("store must be a store of conversations: createMemoryStore(), or your own ConversationStore");
  const checked = checkOptions(rest);
  const keeper = createKeeper(nameSession(id), store);
  const open = (format: FormatName | undefined): Compactor => createUnchecked({ ...checked, format }, keeper);
  let own: Compactor | undefined;
  function prepare<Messages extends readonly object[]>(messages: Messages): Promise<PreparedRequest<Messages>>;
  function prepare(messages: readonly object[]): Promise<PreparedRequest> {
    own ??= open(checked.format);
    return own.prepare(messages);
  }
  const originals: HashedOriginals = {
    hashes: async () => listHashes((await keeper.read()).decisions),
    read: (hash) => store.readOriginal(hash, nameSession(id)),
  };
  return {
    ...originals,
    id,
    options: { onPrepared, onFailure },
    prepare,
    tool: createRecallTool(originals),
    ledger: async () => keeper.read(),
    open,
  };
}

/** A name for files and rows that reveals nothing of the id. */
function nameSession(id: string): string {
  return sha256(`conversation ${id}`).slice(0, 32);
}

interface StoredLedger extends Ledger {
  readonly decisions: readonly StoredEdit[];
}

/** Reads what was added since the last request only. Requests are counted in this process: a ledger from another one has been carried for long. */
function createKeeper(session: string, store: ConversationStore): LedgerKeeper & { read(): Promise<StoredLedger> } {
  let known: KnownDecisions | undefined;
  let requests: number | undefined;
  let beganWith: string | undefined;
  const toLedger = ({ decisions }: KnownDecisions): StoredLedger => {
    requests ??= decisions.length === 0 ? 0 : CARRIED_FOR_LONG;
    return { decisions, requests, beganWith };
  };
  const read = async (): Promise<StoredLedger> => {
    known = await store.readLedger(session, known);
    return toLedger(known);
  };
  return {
    read,
    async add(edits, originals, opens) {
      const before = known ?? (await store.readLedger(session));
      toLedger(before);
      requests = (requests ?? 0) + 1;
      beganWith ??= opens;
      if (edits.length === 0) return toLedger(before);
      await store.keepOriginals(originals, session);
      const after = await store.appendDecisions(
        session,
        edits.map((edit) => nameOriginals(edit, originals)),
        before,
      );
      if (after) known = after;
      return after && toLedger(after);
    },
  };
}

const CARRIED_FOR_LONG = 1_000_000;

function nameOriginals(edit: Edit, originals: readonly NamedOriginal[]): StoredEdit {
  const hashes = originals.filter(({ handle }) => edit.handles.includes(handle)).map(({ hash }) => hash);
  return hashes.length === 0 ? edit : { ...edit, originals: hashes };
}

function listHashes(decisions: readonly StoredEdit[]): readonly string[] {
  return [...new Set(decisions.flatMap(({ originals, handles }) => originals ?? handles))];
}

/** How much conversations in memory may hold together. */
const MAX_BYTES = 256 << 20;

interface HeldConversation {
  readonly originals: Map<string, string>;
  known: KnownDecisions;
  characters: number;
}

/**
 * Conversations that end with the process. Above the limit the one that was longest unused goes, whole: its next request decides anew,
 * and stores what it removes anew, so no handle in a request is ever left without its text.
 */
export function createMemoryStore({ maxBytes = MAX_BYTES }: { readonly maxBytes?: number } = {}): ConversationStore {
  const held = new Map<string, HeldConversation>();
  let characters = 0;
  const use = (session: string): HeldConversation => {
    const conversation = held.get(session) ?? { originals: new Map(), known: NOTHING, characters: 0 };
    held.delete(session);
    held.set(session, conversation);
    return conversation;
  };
  const grow = (conversation: HeldConversation, by: number): void => {
    conversation.characters += by;
    characters += by;
    for (const [session, oldest] of held) {
      if (characters * BYTES_PER_CHARACTER <= maxBytes || oldest === conversation) return;
      held.delete(session);
      characters -= oldest.characters;
    }
  };
  return {
    readLedger: async (session) => held.get(session)?.known ?? NOTHING,
    async appendDecisions(session, edits, { version }) {
      const conversation = use(session);
      if (conversation.known.version !== version) return undefined;
      conversation.known = { decisions: [...conversation.known.decisions, ...edits], version: version + 1 };
      grow(conversation, JSON.stringify(edits).length);
      return conversation.known;
    },
    async keepOriginals(originals, session) {
      const conversation = use(session);
      for (const { hash, text } of originals) {
        if (conversation.originals.has(hash)) continue;
        conversation.originals.set(hash, text);
        grow(conversation, text.length);
      }
    },
    readOriginal: async (hash, session) => held.get(session)?.originals.get(hash),
  };
}

const NOTHING: KnownDecisions = { decisions: [], version: 0 };
/** At most: most texts take one. */
const BYTES_PER_CHARACTER = 2;
