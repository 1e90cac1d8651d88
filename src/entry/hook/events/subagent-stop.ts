import { textField } from "../../../core/json.ts";
import { type Hook, NOTHING } from "../hook.ts";
import { followSummary, isCompacting } from "../restore/restore-file.ts";

/** A fork without a type writes the summary: its end is the last moment to have a restore ready for the first request after it (seen in 2.1.197 and 2.1.325). */
export const subagentStop: Hook = (context) => {
  const { raw, folder } = context;
  const summary = textField(raw, "last_assistant_message");
  // Not recognised by its tags: 2.1.197 accepts a summary without them.
  const isSummariser = textField(raw, "agent_type") === "" && summary !== "";
  if (!isSummariser || folder === undefined || !isCompacting(folder)) return NOTHING;
  followSummary({ summary, isOver: false }, context, () => undefined);
  return NOTHING;
};
