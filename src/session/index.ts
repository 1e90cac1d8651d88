/** What happened in a session: the reducer over its events, and its state. */
export * from "./action.ts";
export * from "./episode.ts";
export * from "./happening.ts";
export * from "./open-work.ts";
export * from "./phase.ts";
export * from "./session.ts";
export * from "./track-commands.ts";
export * from "./track-decisions.ts";
export * from "./track-episodes.ts";
export * from "./track-errors.ts";
export * from "./track-files.ts";
export * from "./track-requests.ts";
export * from "./track-words.ts";
export * from "./track-work.ts";
