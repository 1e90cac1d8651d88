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
