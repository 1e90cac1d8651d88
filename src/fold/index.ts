/** Long outputs made short, each with the way back: one, several under one handle, code in the model's own words. */

export { foldCodeBlock } from "./fold-code-block.ts";
export { foldGroup, splitCombined } from "./fold-group.ts";
export { foldOutput } from "./fold-output.ts";
export { planFold } from "./plan-fold.ts";
export { redactSecrets } from "./redact-secrets.ts";
