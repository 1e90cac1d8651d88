/**
 * Plimsoll as a library. Start with `compact`; the subpaths (`plimsoll/core`, `/measure`, `/layers`, `/anthropic` …) hold
 * the same and more, apart: docs/library.md.
 */
export * from "./core/index.ts";
export * from "./layers/index.ts";
export * from "./measure/index.ts";
export * from "./models/index.ts";
export { compressProse } from "./policy/density/compress-prose.ts";
export * from "./wire/anthropic/index.ts";
