import type { Edit } from "./edit.ts";
import { isObject } from "./json.ts";

/** A decision as it is stored, to be made again on every later request. */
export type KeptEdit = Edit & {
  /** The model's answer after which it was made, if the client does not name its conversation: it counts only there. */
  readonly after?: string;
  /** The full hashes of the originals stored with it: handles show twelve digits, which two originals may share. */
  readonly originals?: readonly string[];
};

/** A stored decision; `undefined` for anything else. */
export function parseKeptEdit(value: unknown): KeptEdit | undefined {
  const bound = bindOlder(value);
  return isKeptEdit(bound) ? bound : undefined;
}

/** The decisions of a stored list; what this version does not understand is left out. */
export function parseKeptEdits(value: unknown): readonly KeptEdit[] {
  return Array.isArray(value) ? value.flatMap((item: unknown) => parseKeptEdit(item) ?? []) : [];
}

/** Older versions did not store what an edit replaces. Nothing has an empty hash, so such a decision is dropped and counted. */
function bindOlder(value: unknown): unknown {
  return isObject(value) && value.kind !== "recalled" && value.replaces === undefined
    ? { ...value, replaces: "" }
    : value;
}

function isKeptEdit(value: unknown): value is KeptEdit {
  if (!isObject(value) || typeof value.by !== "string" || typeof value.reason !== "string") return false;
  if (typeof value.replaces !== "string" || !Array.isArray(value.handles)) return false;
  if (value.after !== undefined && typeof value.after !== "string") return false;
  if (value.originals !== undefined && !isTextList(value.originals)) return false;
  if (value.restsOn !== undefined && !Array.isArray(value.restsOn)) return false;
  return value.kind === "replaceBlock"
    ? typeof value.block === "string" && isObject(value.content)
    : typeof value.first === "string" && typeof value.last === "string" && Array.isArray(value.messages);
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
