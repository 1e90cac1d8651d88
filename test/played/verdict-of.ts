import { auditRun } from "../laws/audit-run.ts";
import { createStoreRecall, listStoreFolders } from "../laws/store-recall.ts";
import { renderVerdict } from "../laws/verdict.ts";
import { hasModule, type PlayedRun } from "./play-session.ts";

/** The laws over what the API was sent, in words: figures first, then a line for each thing that is missing or false. */
export async function verdictOf(run: PlayedRun): Promise<string> {
  if (!hasModule(run.arm)) return "none of ours";
  const recall = createStoreRecall({ folders: listStoreFolders(run) });
  const verdict = await auditRun({
    requests: run.requests.map(({ request }) => request),
    recall,
    options: { mayRewind: false },
  });
  return renderVerdict(verdict);
}
