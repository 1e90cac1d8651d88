/** Plimsoll as a library. The subpaths `plimsoll/core`, `plimsoll/measure` and `plimsoll/claude-code` hold the same, apart. */
export * from "./core/index.ts";
export * from "./measure/index.ts";
