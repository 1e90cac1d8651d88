import type { Played } from "./play-task.ts";

/** The record of Plimsoll names the transcript as the client's summary does, so who has recall has both. */
export type ReadingWay = "recall" | "transcript";

/** What a worker knows of part 1. */
export interface Arm {
  readonly name: string;
  readonly played: Played;
  /** What can be read back besides the request. */
  readonly readsBack: readonly ReadingWay[];
}

export const ARMS: readonly Arm[] = [
  { name: "whole conversation", played: "whole", readsBack: [] },
  { name: "client's summary", played: "client", readsBack: ["transcript"] },
  { name: "Plimsoll with recall", played: "plimsoll", readsBack: ["recall", "transcript"] },
  { name: "Plimsoll without recall", played: "plimsoll", readsBack: [] },
  { name: "nothing", played: "nothing", readsBack: [] },
];
