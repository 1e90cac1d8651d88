import { createShelf, type Shelf, type ShelfPlace } from "../../files/artifacts/create-shelf.ts";
import { nodeProjectFiles } from "../../files/node-project-files.ts";
import type { ProjectStore } from "../../files/save-project-state.ts";

/** What a session uses of the machine that it runs on. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly files: ProjectStore;
  createShelf(place: ShelfPlace, nowMs: () => number): Shelf;
}

export const THIS_MACHINE: Machine = {
  env: process.env,
  nowMs: () => Date.now(),
  files: nodeProjectFiles,
  createShelf,
};
