import type { Usage } from "../../../core/usage.ts";

/** What some lines at the end of a transcript tell of the window. */
export interface TailLoad {
  /** Of the last request on the main conversation after the last compaction among these lines. */
  readonly usage: Usage | undefined;
  readonly model: string;
  readonly stepId: string;
  readonly version: string;
  readonly compactions: readonly { readonly trigger: string; readonly preTokens: number | undefined }[];
  readonly hasNews: boolean;
}
