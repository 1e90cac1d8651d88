import { clipLine } from "../../core/clip-text.ts";
import type { Decision } from "../../session/track-decisions.ts";
import type { LoggedDecision } from "./entry-kinds.ts";

const MAX_TITLE = 80;
/** A step that carries out what was decided before, and an opinion that nobody acted on. */
const STEP =
  /^\W{0,4}(?:now,? )?(?:since [^,]{3,120}, )?(?:now )?(?:I|we) (?:(?:also |now |just )?(?:need|have) to|should (?:clarify|probably))\b|^\W{0,4}(?:now )?let me\b/i;
/** A line of a list or a remark in which nobody decides: "**Always latest**: ...", "Note: this is acceptable ...". */
const REMARK = /^\W{0,4}(?:note:|must\b|\w[^:*]{0,40}\*{2}:)(?!.*\b(?:I|we)(?:'ve)? \w)/i;
/** What ends with a colon or a quotation mark leads over to a call, or was said of somebody else's text. */
const LEADS_OVER = /[:"”]$/;
/** Leave to go on decides nothing about the work. */
const LEAVE =
  /\b(?:should I (?:proceed|continue|start|go ahead)|shall I|would you like me to|do you want me to|ready to)\b[^→]*→/i;

/** Whether it still says something when the session is over: the person's choices, and the model's own that are no mere steps. */
export function isLasting({ text, by }: Decision): boolean {
  return by === "person" ? !LEAVE.test(text) : ![STEP, REMARK, LEADS_OVER].some((sign) => sign.test(text));
}

/** As the log of decisions has it; a reason that is the whole sentence is no reason told apart. */
export function toLogged({ text, reason, files }: Decision, context: string): LoggedDecision {
  return {
    title: clipLine(text, MAX_TITLE),
    context,
    decision: text,
    rationale: reason === text ? "" : reason,
    impact: files.join(", "),
  };
}
