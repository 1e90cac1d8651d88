import type { JsonObject } from "../core/json.ts";
import type { Author, Message } from "../core/message.ts";
import type { FoundFile } from "../files/list-files.ts";
import type { CompactionSettings } from "../measure/compaction-point.ts";
import type { Vocabulary } from "../session/action.ts";
import type { Baseline } from "./baseline.ts";
import type { LineTally, TranscriptEntry } from "./transcript-entry.ts";
import type { UsageScan } from "./usage.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface TranscriptFile extends FoundFile {
  readonly project: string;
  readonly isSubagent: boolean;
  /** The client, for people who use several; absent for the first of them. */
  readonly client?: string;
}

/**
 * A client that records sessions: the meaning of its words, where its files are and how one is read. Everything outside this folder
 * asks a host and knows none by name. Functions that read throw what the system throws: the entry points report it to the person.
 */
export interface Host {
  /** For files and options: lower case, without blanks. */
  readonly name: string;
  readonly title: string;
  readonly program: string;
  /** The command that resumes a session, with a prompt on standard input. */
  renderResume(sessionId: string): string;
  /** The commands inside it that compact the conversation, and begin a new one. */
  readonly commands: { readonly compact: string; readonly anew: string };

  readonly vocabulary: Vocabulary;
  decidePromptAuthor(text: string): Author;
  /** The format of its requests; absent if they are not read here. */
  readonly wireFormat?: WireFormat;
  /** Whether a request is its own compaction: the whole history once more, and a request for a summary. */
  isCompactionRequest(messages: readonly Message[]): boolean;
  /** Request headers that name a session and its subagent, in lower case; absent if there are none. */
  readonly headers?: { readonly session: string; readonly agent: string };

  /** The variable that moves its home, the default place, and its folder in there if other programs share it. */
  readonly homeVariable: { readonly name: string; readonly otherwise: string; readonly folder?: string };
  locateHome(environment: Environment): string;
  /** What it tells the programs that it starts; `undefined` if it did not start this one. */
  findServed(environment: Environment): Served | undefined;
  /** What it says of a session with a call of a server's tool; `undefined` if the call is not its own, or if it does not say. */
  findCaller?(meta: JsonObject, environment: Environment): Served | undefined;
  readCompactionSettings(environment: Environment, project: string): CompactionSettings;

  /** What is in every request; absent for a client whose baseline is not measured. */
  readonly baseline?: Baseline;

  locateTranscripts(environment: Environment, project?: string): string;
  /** Its transcripts below a folder, or the file itself; newest first. Unreadable folders are skipped. With `isOwn`, only its own files are opened. */
  listTranscripts(root: string, isOwn?: (path: string) => boolean): readonly TranscriptFile[];
  /** A project's transcripts, newest first, without subagents'. */
  listProject(environment: Environment, project: string): readonly TranscriptFile[];
  /** The ids of all sessions that can be resumed, wherever they ran; `undefined` if unknown. */
  listSessions(environment: Environment): ReadonlySet<string> | undefined;
  /** A session of a project by its id; `undefined` if it has no plain file of its own. */
  findTranscript(environment: Environment, project: string, sessionId: string): string | undefined;
  nameSession(path: string): string;

  /** Whether a file is this client's, by its place or name, else by its first bytes, which are read on demand. */
  isOwn(path: string, readHead: () => string): boolean;
  /** A transcript that is read piece by piece, as it grows. Nothing is read before the first call. */
  openTranscript(path: string, options?: ReadOptions): OpenTranscript;
  selectConversation(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[];
  /** For a client that Plimsoll cannot run inside: its sessions are only read. */
  readonly isOnlyRead?: true;
  /** For a client that records no usage: sizes and dollars are unknown, and the person is told why. */
  readonly recordsUsage?: false;
  /** For a client that puts the files read last back after a compaction: replay simulates that. */
  readonly restoresFiles?: true;
  /** For a client that keeps all sessions in one file: the folders next to it hold none. */
  readonly usesDatabase?: true;
  /** For a client whose settings say how long its prompt cache lives. */
  readonly setsCacheLife?: true;
  /** Usage only, for hundreds of files; present only if it is faster than reading every entry. */
  scanUsage?(path: string): UsageScan;
}

export type WireFormat = "anthropic" | "openai-responses";

export interface Served {
  /** Empty if unknown. */
  readonly project: string;
  readonly sessionId: string;
}

/** Each record of a file is read and decoded once, however often it is asked for. */
export interface OpenTranscript {
  /** Passes what was added since the last call; at first everything. */
  read(sink: EntrySink): EntriesRead;
}

export interface EntrySink {
  onEntry(entry: TranscriptEntry): void;
  /** The file is not the one that was read before: everything taken from it is void, and it is read from its beginning. */
  onRestart?(): void;
}

export interface EntriesRead {
  /** Of the whole file. */
  readonly tally: LineTally;
  /** Bytes of a last record that was cut off or is still being written. */
  readonly unfinishedBytes: number;
}

export interface ReadOptions {
  /** Only entries that may be about this are needed: a host may skip the others without decoding them. */
  readonly about?: Topic;
  /** Of a file that is read for the first time, only about so many bytes of its end are read. */
  readonly maxFirstBytes?: number;
}

/** Compactions' summaries, each after the answer before it, which names the model; calls of MCP tools, subagents and skills, with their listings. */
export type Topic = "summaries" | "foreignCalls";
