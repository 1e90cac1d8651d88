/** Before a bundle goes to another model: what it weighs, whether it may go, and the caps that hold whatever was estimated. */
export { applyDispatchCaps } from "./apply-dispatch-caps.ts";
export { previewContext } from "./preview-context.ts";
