import type { MessagesBody } from "./messages-body.ts";
import type { LaneName } from "./scenario.ts";

/** A request to `POST /v1/messages`, kept for assertions. */
export interface ApiRequest {
  readonly lane: LaneName;
  /** Which subagent asked; empty in the other lanes. */
  readonly agentId: string;
  /** Path with query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: MessagesBody;
  readonly atMs: number;
}

/** Any other request, such as `HEAD /` or a token count. */
export interface SideRequest {
  readonly method: string;
  readonly path: string;
  readonly atMs: number;
}
