import type { JsonObject } from "../core/json.ts";
import type { ToolResultBlock } from "../core/message.ts";

export type Action =
  | { readonly kind: "read"; readonly path: string; readonly range: LineRange | undefined }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  /** `lines` is absent if the call does not show what it replaces. */
  | { readonly kind: "edit"; readonly path: string; readonly lines?: LineCounts }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "search"; readonly pattern: string; readonly path: string }
  | { readonly kind: "fetch"; readonly url: string }
  | { readonly kind: "createTask"; readonly subject: string }
  | {
      readonly kind: "updateTask";
      readonly taskId: string;
      readonly status: WorkStatus | undefined;
      readonly subject: string;
    }
  | { readonly kind: "listTasks" }
  | { readonly kind: "replaceTodos"; readonly todos: readonly TodoItem[] }
  /** `agent` is its kind, if one was asked for. */
  | { readonly kind: "delegate"; readonly prompt: string; readonly agent?: string }
  | { readonly kind: "proposePlan"; readonly plan: string }
  | { readonly kind: "ask"; readonly questions: readonly string[] }
  | { readonly kind: "other"; readonly tool: string };

export type ChangeAction = Extract<Action, { kind: "edit" | "write" }>;

/** A change of a file. */
export function isChange(action: Action): action is ChangeAction {
  return action.kind === "edit" || action.kind === "write";
}

/** How many lines a change adds and removes. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Without the lines that both texts begin with and end with. */
export function countChanged(before: string, after: string): LineCounts {
  const toLines = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  const [old, fresh] = [toLines(before), toLines(after)];
  const most = Math.min(old.length, fresh.length);
  let first = 0;
  while (first < most && old[first] === fresh[first]) first++;
  let last = 0;
  while (last < most - first && old.at(-1 - last) === fresh.at(-1 - last)) last++;
  const same = first + last;
  return { added: fresh.length - same, removed: old.length - same };
}

export function addCounts(one: LineCounts, other: LineCounts): LineCounts {
  return { added: one.added + other.added, removed: one.removed + other.removed };
}

export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface TodoItem {
  readonly subject: string;
  readonly status: WorkStatus;
}

/**
 * Typed, so that finished work cannot come back as a plan: not begun, in progress, finished, given up, no longer on the list. Only the
 * client or the person gives work up; an item that is gone from its list may have been merged, renamed or done.
 */
export type WorkStatus = "open" | "active" | "done" | "cancelled" | "dropped";

export function isUnfinished({ status }: { readonly status: WorkStatus }): boolean {
  return status === "open" || status === "active";
}

export interface Outcome {
  readonly isError: boolean;
  readonly text: string;
  /** A command's exit status; `undefined` if the host does not say, such as for one that still runs. */
  readonly exitCode: number | undefined;
  /** The call never ran: the person refused it, or the host did for them. `text` holds what was said instead. */
  readonly isRefused: boolean;
  readonly taskId: string;
  /** All tasks, if the host listed them all: one that is not on the list no longer exists. */
  readonly tasks: readonly { readonly id: string; readonly subject: string; readonly status: WorkStatus }[] | undefined;
  /** The lines seen of a file, and its whole content if that is known. */
  readonly range: LineRange | undefined;
  readonly content: string | undefined;
  /** Whether a write or an edit created the file; absent if the host does not say. */
  readonly isCreated?: boolean | undefined;
  /** Of a write or an edit, as the host has counted them; otherwise the call's own count applies. */
  readonly lines?: LineCounts | undefined;
  /** A task's status after an update, if the host reports it; otherwise the requested one applies. */
  readonly taskStatus?: WorkStatus | undefined;
  /** The to-do list after it was replaced, if the host reports it; otherwise the requested one applies. */
  readonly todos?: readonly TodoItem[] | undefined;
  /** Id of what continues in the background after the call has returned. */
  readonly backgroundId?: string | undefined;
}

export type Notice =
  | { readonly kind: "interrupted" }
  /** Something in the background has ended, with what the host says of it. */
  | { readonly kind: "finished"; readonly ids: readonly string[]; readonly text: string }
  /** A hook does not let the turn end, and says why. */
  | { readonly kind: "reopened"; readonly text: string }
  | { readonly kind: "asked"; readonly text: string };

/** Interprets a host's calls and results. One per host; the session itself knows no tool by name. */
export interface Vocabulary {
  /** The model's tool for reading files, if it is not called `Read`. */
  readonly readTool?: string;
  interpretCall(tool: string, input: JsonObject): Action;
  interpretResult(action: Action, result: ToolResultBlock, detail: JsonObject | undefined): Outcome;
  /** Recovers a lost call from its result, as after a damaged line; `undefined` if it does not say. */
  interpretOrphan?(result: ToolResultBlock, detail: JsonObject | undefined): Action | undefined;
  /** The person's own words in a prompt, without what editors and wrappers add. */
  interpretPrompt?(text: string): string;
  /** Host texts that stand for an act of the person: interrupting, or running a command. */
  interpretNotice?(text: string): Notice | undefined;
  /** Kinds of attachments that are the same in every session. */
  isBoilerplate?(label: string): boolean;
}
