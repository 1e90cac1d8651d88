import type { JsonObject } from "../core/json.ts";
import type { ToolResultBlock } from "../core/message.ts";

/** What a tool call means, whatever the host calls its tools. */
export type Action =
  | { readonly kind: "read"; readonly path: string; readonly range: LineRange | undefined }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "edit"; readonly path: string }
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
  | {
      readonly kind: "delegate";
      readonly prompt: string;
      /** Its kind, where one was asked for. */
      readonly agent?: string;
    }
  | { readonly kind: "proposePlan"; readonly plan: string }
  | { readonly kind: "ask"; readonly questions: readonly string[] }
  | { readonly kind: "other"; readonly tool: string };

export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface TodoItem {
  readonly subject: string;
  readonly status: WorkStatus;
}

/** Typed, so that finished work cannot come back as a plan: not begun, being worked on, finished, given up. */
export type WorkStatus = "open" | "active" | "done" | "cancelled";

/** What came of a call. */
export interface Outcome {
  readonly isError: boolean;
  readonly text: string;
  /** A command's exit status; `undefined` where the host does not say, such as for one that still runs. */
  readonly exitCode: number | undefined;
  /** The call was never carried out: the person refused it, or the host did for them. What was said instead is in `text`. */
  readonly isRefused: boolean;
  /** The id the host gave a created task. */
  readonly taskId: string;
  /** All tasks, where the host listed them whole: one that is not on the list no longer exists. */
  readonly tasks: readonly { readonly id: string; readonly subject: string; readonly status: WorkStatus }[] | undefined;
  /** What was seen of a file, and its whole content where it was seen whole or can be told. */
  readonly range: LineRange | undefined;
  readonly content: string | undefined;
  /** Whether a write or an edit made the file; absent where the host does not say. */
  readonly isCreated?: boolean | undefined;
  /** The status that a task has after an update, where the host tells it; the one asked for otherwise. */
  readonly taskStatus?: WorkStatus | undefined;
  /** The to-do list after it was replaced, where the host tells it; the one asked for otherwise. */
  readonly todos?: readonly TodoItem[] | undefined;
  /** What goes on in the background under this id after the call has come back. */
  readonly backgroundId?: string | undefined;
}

/** What a text that the host wrote into the conversation stands for. */
export type Notice =
  | { readonly kind: "interrupted" }
  | { readonly kind: "finished"; readonly ids: readonly string[] }
  | { readonly kind: "asked"; readonly text: string };

/** How a host's calls and results are understood. One per host; the session itself knows no tool by name. */
export interface Vocabulary {
  /** The tool by which the model reads a file, where it is not called `Read`. */
  readonly readTool?: string;
  interpretCall(tool: string, input: JsonObject): Action;
  interpretResult(action: Action, result: ToolResultBlock, detail: JsonObject | undefined): Outcome;
  /** What a result tells of its call where that was lost, as in a damaged line; `undefined` where it does not say. */
  interpretOrphan?(result: ToolResultBlock, detail: JsonObject | undefined): Action | undefined;
  /** The person's own words of a prompt, without what editors and wrappers put around them. */
  interpretPrompt?(text: string): string;
  /** Host texts that stand for something the person did: breaking off, or asking by a command. */
  interpretNotice?(text: string): Notice | undefined;
  /** Attachments that say the same in every session, by their kind: nothing in them is this session's own. */
  isBoilerplate?(label: string): boolean;
}
