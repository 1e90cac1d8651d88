import { toOneLine } from "../../core/clip-text.ts";
import { isSubstantial } from "../../session/episode-rules.ts";
import type { SessionState } from "../../session/session.ts";
import { isVague } from "../record/is-vague.ts";

/** The newest thing that the person had asked for before a request and that says by itself what is wanted; "Yes" is none. */
export function findRequest({ words }: SessionState, before: number = Number.POSITIVE_INFINITY): string {
  const asked = words.filter(({ request }) => request < before).map(({ text }) => toOneLine(text));
  return asked.findLast((text) => isSubstantial(text) && !isVague(text)) ?? "";
}
