import { createArtifactStore } from "../../../files/artifacts.ts";
import type { Hook } from "../hook.ts";
import { stop } from "./stop.ts";

/** Originals outlive their session, because it may be taken up again; not for ever, because they are copies. */
const ARTIFACTS_LIVE_MS = 14 * 24 * 60 * 60_000;

export const sessionEnd: Hook = async (input, context) => {
  const { deeds = [], client = "" } = await stop(input, context);
  if (context.project !== "")
    createArtifactStore(context.project, context.nowMs).prune({ olderThanMs: ARTIFACTS_LIVE_MS });
  return { deeds, client };
};
