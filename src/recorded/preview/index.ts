/** Checks before a bundle goes to another model: its size, whether it may be sent, and caps that hold whatever was estimated. */
export { applyDispatchCaps } from "./apply-dispatch-caps.ts";
export { previewContext } from "./preview-context.ts";
