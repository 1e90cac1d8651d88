/** Shortens long outputs, and long code blocks in the model's messages, so that each can be fetched back. */

export { findLongBlocks, foldCodeBlock } from "./fold-code-block.ts";
export { foldOutput } from "./fold-output.ts";
export { redactSecrets } from "./redact-secrets.ts";
