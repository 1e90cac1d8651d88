/** The 24 words that announce a decision. One of them is required but not sufficient: see `isDecision`. */
export const DECISION_SIGNALS: readonly string[] =
  `decided, decision, chose, chosen, choosing, opted, going with, went with, settled on, will use, instead of,
   rather than, in favor of, because, since, so that, to avoid, switched to, replaced, kept, must, never, always,
   note:`.split(/,\s+/);

const SIGNAL = new RegExp(
  DECISION_SIGNALS.map((word) =>
    word.endsWith(":") ? `\\b${word}` : `\\b${word.replace("favor", "favou?r")}\\b`,
  ).join("|"),
  "i",
);

/** The word itself says that someone chose. */
const EXPLICIT =
  /\b(?:(?:I|we|I've|we've|you|you've|user|team)(?: have| has|'ve)? (?:decided|chose|chosen|opted|settled on|went with|kept)|decided (?:to|on|against|that)|(?:am|I'm|we're|are) (?:going with|choosing|opting)|(?:design )?decisions?:|opted (?:for|to|against)|settled on|(?:I'll|we'll|I will|we will|let's|let me) (?:go with|take (?:approach|option|the))|going with (?!that)|chose (?!n)(?:to |the |a |an )?\w|chosen (?:approach|option|design|because|over))/i;
/** An actor who can decide, right before an act that shapes the work. */
const COMMITS =
  /(?:\b(?:I|we|I've|we've|I'll|we'll|let's|let me|I will|we will|I'm|we're|we should|I need to|we need to|I also|I then|we also)|^(?:now|so|then|first),?)\s(?:[^,;:.—?]{0,30}\s)?(?:us(?:e|ed|ing)|keep(?:ing)?|kept|switch(?:ed|ing)?|replac(?:e|ed|ing)|mov(?:e|ed|ing)|remov(?:e|ed|ing)|drop(?:ped|ping)?|skip(?:ped|ping)?|avoid(?:ed|ing)?|extract(?:ed|ing)?|renam(?:e|ed|ing)|split(?:ting)?|stor(?:e|ed|ing)|add(?:ed|ing)?|mak(?:e|ing)|made|put(?:ting)?|leav(?:e|ing)|left|chang(?:e|ed|ing)|updat(?:e|ed|ing)|fix(?:ed|ing)?|defer(?:red|ring)?|implement(?:ed|ing)?|return(?:ed|ing)?|pass(?:ed|ing)?|revert(?:ed|ing)?|simplif(?:y|ied)|rewrit(?:e|ing)|inline[ds]?|restrict(?:ed)?|limit(?:ed)?|default(?:ed|ing)?|merg(?:e|ed|ing)|writ(?:e|ing)|creat(?:e|ed|ing)|treat(?:ed|ing)?|stick(?:ing)?|delegate|dispatch|squash|pin(?:ned)?|follow(?:ed|ing)?|match(?:ed|ing)?|wrap(?:ped)?|handle[ds]?|must|never|always)\b/i;
/** A change reported in a list item: "Replaced X with Y", "Kept X because". */
const REPORTS =
  /^(?:\*{0,2}[`\w][^.]{0,80}?\*{0,2}(?: —| -|:) )?\*{0,2}(?:replaced|switched|changed|moved|renamed|kept|removed|dropped|uses?|using|reverted|split|extracted|deferred|skipped|made|note:|decision|chose|never|always)\b/i;
/** A rule or reason that opens its sentence needs no actor: "Never write into vendor.", "Because …, …". */
const LAYS_DOWN =
  /^[-*•\s]*\*{0,2}(?:because\s[^,]{3,120},\s\S|never\s+\w|always\s+\w|must(?: not| never)?\s+\w|note:\s*\S)/i;
/** Reasons and alternatives make a change a decision. */
const WEIGHED =
  /\b(?:instead of|rather than|in favou?r of|because|so that|to avoid|since|over|not|no longer|for (?:consistency|simplicity|clarity|safety|backwards?|compatibility))\b/i;

/** Steps that carry out an earlier decision, unless they give a reason of their own. */
const NARRATES =
  /^(?:(?:now|next|ok(?:ay)?|then),? )?(?:(?:I need to|let me|I'll|I will|now let me|now I need to) )?(?:also )?(?:update|change|replace|fix|add|pass|rewrite)\b/i;
const REASONED = /\b(?:because|since|so that|to avoid|rather than|in favou?r of)\b/i;
/** Tidying up needs no decision. */
const TRIVIAL =
  /\b(?:no longer|not|never) (?:being )?(?:used|needed|referenced)\b|\bunused\b|\balready (?:done|there|fixed)\b|^\W{0,2}using .{1,60}\bbecause (?:this|the (?:task|request|user|question)) /i;
/** Looking, wondering, offering and reporting findings are not decisions. */
const EXPLORES =
  /\b(?:let me|let's|I'll|I will|I need to|now|need to|going to)\s+(?:also |first |now |just |quickly |then |try to |double-?check |re-?)*(?:check|look|read|see|verify|run|test|find|search|understand|view|start by|examine|explore|investigate|inspect|trace|get|fetch|grep|confirm|analy[sz]e|review|count|think|wait|try|debug|figure|re-?read|diagnose|compare|open|list|ask|know)\b/i;
const OPEN =
  /\?\s*$|^\W{0,4}option [a-d\d]\b|\b(?:because|since|decisions?):?\s*$|\b(?:leaning|if (?:you|we|I|someone|the user)|could|would|might|maybe|perhaps|probably|options?:|either|do you|want me|should I|shall I|let me know|alternatively|pros?:|cons?:|looks like|seems?|appears?|likely|suggest(?:s|ed)?|which means|turns out|you(?:'re| are) right|needs? a decision|(?:issue|bug|problem|error|failure)s? (?:is|was|pattern)|(?:I|we) can't|tried|make sure|I (?:was|see|notice|found|think|thought|understand|need to (?:read|know|see)|don't know))\b/i;

/** A quick check: most texts have no signal word and are not examined further. */
export function hasSignal(text: string): boolean {
  return SIGNAL.test(text);
}

/** Requires a signal word, an actor who decides, and no doubt. */
export function isDecision(sentence: string): boolean {
  if (sentence.length < 20 || !SIGNAL.test(sentence) || /^\|/.test(sentence) || OPEN.test(sentence)) return false;
  if (EXPLICIT.test(sentence) || LAYS_DOWN.test(sentence)) return true;
  if (EXPLORES.test(sentence) || TRIVIAL.test(sentence)) return false;
  if (NARRATES.test(sentence) && !REASONED.test(sentence)) return false;
  return WEIGHED.test(sentence) && (COMMITS.test(sentence) || REPORTS.test(sentence));
}

/** Only these of the model's own sentences say what it chose; the rest narrate or explain. */
const LEAD =
  /^\W{0,4}(?:[^.:]{0,80}\.?\*\*:?\s)?(?:(?:since|because|as|given|to avoid) [^,]{3,160}, )?(?:so |now |then |also |instead,? |here,? )?/i
    .source;
const ACT =
  "(?:also |just |only |then |instead |deliberately |intentionally )?(?:us(?:e|ed|ing)|keep|kept|switch(?:ed)?|replac(?:e|ed)|move|remove|drop(?:ped)?|skip(?:ped)?|avoid(?:ed)?|split|stor(?:e|ed)|add|make|put|leav(?:e|ing)|left|defer(?:red)?|restrict(?:ed)?|limit(?:ed)?|default(?:ed)?|treat(?:ed)?|stick|pin(?:ned)?|take|took|never|always|must|round(?:ed)?|will use)\\b";
const COMMITTED = new RegExp(`${LEAD}(?:I|we)(?:['’]ll|['’]ve|['’]m| will| have)? ${ACT}`, "i");
const INTENDED = new RegExp(
  `${LEAD}(?:rather than [^,]{3,120}, )?(?:let me|let['’]s|I need to|we need to|we should) ${ACT}`,
  "i",
);
const ALTERNATIVE =
  /\b(?:instead of|rather than|in favou?r of|over the|(?:which|that) is (?:more|less)|(?:\(|, )not )/i;

/** Whether the model states a reasoned choice of its own rather than its next step. */
export function isOwnChoice(sentence: string): boolean {
  if (EXPLICIT.test(sentence)) return true;
  if (/[:"”]$/.test(sentence) || TRIVIAL.test(sentence)) return false;
  // First what is cheap: the two large patterns take 30 ms to compile, before the first request of a session.
  const [isWeighed, hasAlternative] = [WEIGHED.test(sentence), ALTERNATIVE.test(sentence)];
  if (!isWeighed && !hasAlternative) return false;
  return COMMITTED.test(sentence) ? isWeighed : hasAlternative && INTENDED.test(sentence);
}

/** Whether a sentence states a rule or reports a change: a decision if it is alone, an explanation among others. */
export function isRule(sentence: string): boolean {
  return LAYS_DOWN.test(sentence) || REPORTS.test(sentence);
}

const REASON =
  /\b(?:because|since|so that|as it|due to|to avoid|to keep|to ensure|for (?:consistency|simplicity|clarity|safety))\b.*$/i;

/** From the first word that gives a reason; empty if none is given. */
export function findReason(sentence: string): string {
  return sentence.match(REASON)?.[0] ?? "";
}
