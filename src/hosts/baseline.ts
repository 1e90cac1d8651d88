import type { SkippedInstruction } from "../files/instruction-files.ts";
import type { InstructionFile } from "../library/prompt/instructions/instruction-file.ts";
import type { Tokenizer } from "../models/tokens.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a client tells the model in every request before a word is said, by the files that it reads. */
export interface Baseline {
  /** With an active file also what is loaded only when work goes there. */
  readInstructions(environment: Environment, project: string, activeFile?: string): Instructions;
  readDefinitions(environment: Environment, project: string, tokenizer: Tokenizer): Definitions;
  readServers(environment: Environment, project: string): ReadServers;
}

/** What is put into every request of a project as instructions. */
export interface Instructions {
  readonly files: readonly LoadedInstruction[];
  /** Rules that are loaded only for the paths they name. */
  readonly scoped: readonly InstructionFile[];
  /** The client's own memory of the project, where there is one. */
  readonly memoryIndex: InstructionFile | undefined;
  readonly skipped: readonly SkippedInstruction[];
}

export interface LoadedInstruction extends InstructionFile {
  /** The file and line that imports it; `undefined` for one that is loaded by its place. */
  readonly importedBy: { readonly path: string; readonly line: number } | undefined;
}

/** An agent or a skill, as its file defines it. */
export interface Definition {
  readonly name: string;
  readonly path: string;
  /** Its line in the listing that every request carries. */
  readonly listingTokens: number;
  /** The whole file: paid when a skill is invoked, or in an agent's own window. */
  readonly bodyTokens: number;
  readonly lines: number;
}

export interface Definitions {
  readonly agents: readonly Definition[];
  readonly skills: readonly Definition[];
}

/** The MCP servers that the client knows in a project. */
export interface ReadServers {
  readonly servers: readonly ServerConfig[];
  /** Files that are there and cannot be read. */
  readonly problems: readonly { readonly path: string; readonly why: string }[];
}

/** How a server is reached. */
export type ServerTransport =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "http" | "sse";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Where a server was configured, the narrowest first: of several by one name the client takes the first. */
export const SERVER_SCOPES = ["local", "project", "user"] as const;

export interface ServerConfig {
  readonly name: string;
  readonly scope: (typeof SERVER_SCOPES)[number];
  readonly file: string;
  /** `undefined` where the entry cannot be understood; `problem` says why. */
  readonly transport: ServerTransport | undefined;
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  /** A project's servers are started by the client only after the person said yes. */
  readonly isApproved: boolean;
}
