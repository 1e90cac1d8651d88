/** Before a bundle goes to another model: what it weighs, whether it may go, and the caps that hold whatever was estimated. */
export * from "./apply-dispatch-caps.ts";
export * from "./bundle.ts";
export * from "./caller.ts";
export * from "./preview-context.ts";
export * from "./resolve-threshold.ts";
