/** What happened in a session: the reducer over its events, and its state. */
export { listWork } from "./open-work.ts";
export { createSession, type SessionState } from "./session.ts";
