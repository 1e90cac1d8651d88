/** Shortens long outputs so that each can be fetched back: single, several under one handle, and code blocks in the model's messages. */

export { foldCodeBlock } from "./fold-code-block.ts";
export { foldGroup, splitCombined } from "./fold-group.ts";
export { foldOutput } from "./fold-output.ts";
export { planFold } from "./plan-fold.ts";
export { redactSecrets } from "./redact-secrets.ts";
