import type { SkippedInstruction } from "../files/instruction-files.ts";
import type { InstructionFile } from "../library/prompt/instructions/instruction-file.ts";
import type { Tokenizer } from "../models/tokens.ts";
import type { DeferredTool, ToolRecord } from "../policy/choose-deferred.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Baseline {
  /** With an active file, includes what is loaded only for work on it. */
  readInstructions(environment: Environment, project: string, activeFile?: string): Instructions;
  readDefinitions(environment: Environment, project: string, tokenizer: Tokenizer): Definitions;
  readServers(environment: Environment, project: string): ReadServers;
  readToolEvidence(environment: Environment, project: string, tokenizer: Tokenizer): Promise<ToolEvidence>;
  /** The tools that a new session puts behind the client's tool search. */
  readDeferred(environment: Environment, project: string): readonly DeferredTool[];
}

/** The newest sessions, and the newest prompt of theirs that the client recorded. */
export interface ToolEvidence {
  /** The project's sessions, or the person's where the project has too few. */
  readonly of: "project" | "person";
  readonly isEnough: boolean;
  readonly records: readonly ToolRecord[];
  /** The sections of the system prompt; empty where the client does not record it. */
  readonly sections: readonly string[];
  /** Schemas as the API gets them, by the tool's name. */
  readonly schemas: ReadonlyMap<string, string>;
}

export interface Instructions {
  readonly files: readonly LoadedInstruction[];
  /** Rules that are loaded only for the paths they name. */
  readonly scoped: readonly InstructionFile[];
  readonly memoryIndex: InstructionFile | undefined;
  readonly skipped: readonly SkippedInstruction[];
}

export interface LoadedInstruction extends InstructionFile {
  /** The file and line that imports it; `undefined` for one that is loaded by its place. */
  readonly importedBy: { readonly path: string; readonly line: number } | undefined;
}

export interface Definition {
  readonly name: string;
  readonly path: string;
  /** Its line in the listing that is in every request. */
  readonly listingTokens: number;
  /** The whole file: paid when a skill is invoked, or in an agent's own window. */
  readonly bodyTokens: number;
  readonly lines: number;
}

export type Definitions = Readonly<Record<"agents" | "skills", readonly Definition[]>>;

export interface ReadServers {
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly { readonly path: string; readonly why: string }[];
}

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

export interface ServerConfig {
  readonly name: string;
  /** Where it was configured, narrowest first: the client takes the first of several with one name. */
  readonly scope: "local" | "project" | "user";
  readonly file: string;
  /** `undefined` if the entry cannot be understood; `problem` says why. */
  readonly transport: ServerTransport | undefined;
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  /** The client starts a project's servers only after the person agreed. */
  readonly isApproved: boolean;
}
