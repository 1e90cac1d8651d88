import { splitLoosely } from "./sentences.ts";

/** A sentence in a person's words that binds all later work, and the one that it took the place of. */
export interface StandingRule {
  readonly sentence: string;
  /** Empty if it replaced none. */
  readonly replaced: string;
}

/** Longer ones are paragraphs, and would take the room of all others. */
const MAX_RULE_CHARACTERS = 400;
/** Of one text: a document of rules is a document, which is fetched. */
const MAX_RULES = 60;

const LEAD =
  /^(?:(?:and|but|also|so|then|again|please|note|remember|reminder|important|ok(?:ay)?|yes|no|btw|actually|one (?:more|last) thing|for (?:all|any) of (?:this|it)|in (?:this|your) \w{1,20})\b(?: that| to)?[\s,:;!.—–-]{1,3}){0,4}/
    .source;
/** What an order to the agent begins with. A loop over a capture is not unrolled: V8 took 30 ms to compile the rest for each round. */
const ORDER =
  /(?:(please|also|just|simply|and|then|again|kindly|only),? ){0,3}(?:you(?: must| should| shall| need to| have to| can['’]t| cannot| may)\b|(?:i (?:want|need|expect|would like|['’]?d like)(?: you)? to|let['’]?s|make sure|be (?:sure|careful|cautious)|do not|don['’]?t|never|always|add|answer|apply|ask|assume|avoid|branch|build|call|check|choose|cite|close|commit|confirm|consider|copy|create|delete|describe|discuss|do|document|double-?check|draft|end|ensure|exclude|explain|finish|follow|format|give|go|group|hold|ignore|include|keep|leave|limit|lint|link|list|log|make|mark|mention|merge|move|name|notify|omit|open|pick|prefer|prefix|print|propose|pull|push|put|quote|read|rebase|refactor|remember|remind|remove|rename|repeat|reply|report|respond|restart|restate|return|revert|undo|review|round|run|save|say|send|show|sign|skip|speak|spell|start|begin|state|stick|stop|store|suggest|summari[sz]e|switch|take|tell|test|translate|treat|try|update|use|verify|wait|wrap|write)\b)/
    .source;
const BAN =
  "(?:(?:do not|don['’]?t|never|avoid|refrain from|stop)\\s\\S|(?:under|in) no circumstances?\\b|no (?:more )?\\w{2,20}s\\b.{0,80}\\b(?:ever|please|unless|without asking)\\b)";
/** What an order begins with when it is about all later work. */
const OPENS = new RegExp(
  `${LEAD}(?:${BAN}|(?:always|only|exclusively|from now on|from here on|going forward|in (?:the )?future|as a (?:general )?rule|at all times|for the rest of|throughout)\\b)`,
  "i",
);
/** A ban without a verb, as people type it: "no emojis", "nothing in German". */
const BARE_BAN = new RegExp(`${LEAD}(?:no|not|nothing)\\s\\S`, "i");
/** "no" as an answer, and what was seen or is not there: "no, take that one", "not seeing the icon", "no key is configured". */
const NO_BARE_BAN = new RegExp(
  `${LEAD}(?:no|not|nothing)\\s(?:\\w+ing\\b|(?:i|im|i['’]m|it|we|you|they|he|she|this|that|the|just|only|longer|what|when|where|which|if|because)\\b|${ORDER}\\s(?:the|this|that|th[eo]se|it|them|me|all|an?|to|with)\\b)|, but\\b|\\b(?:is|are|was|were|has|have|had|found|needed|required|necessary|available|anymore|\\w+ly|\\w+fires)\\b(?!.*\\b(?:ever|please)\\b)`,
  "i",
);
/** "When you finish, …", "Before you answer, …", "If you change the schema, …": a condition on the agent, then what to do. */
const CONDITION = new RegExp(
  `${LEAD}(?:(?:when(?:ever)?|every ?time|each time|any ?time|before|after|once|if|while|as soon as)\\s(?:you\\b(?! (?:need|want|like|wish|continue|have any)\\b)|(?!(?:an?|the) users?\\b)(?:\\w{1,14}ing|each|every|any|a|an|the|in doubt)\\b)|for (?:each|every)\\b)[^,;:]{0,120}(?:[,:]\\s?|(?<=\\b(?:after|before) (?:each|every) \\w{1,20})\\s|\\b(?=(?:always|never|please)\\b)|\\bthen\\s)${ORDER}`,
  "i",
);
/** Says of all cases what holds, whoever it is said to: "the totals must never be rounded", "without asking". */
const HOLDS =
  /\b(?:must(?:n['’]?t)?|(?:shall|should) (?:not|only|never|always)|(?:shall|should)n['’]t|you (?:may|can) (?:not|only|never)|you (?:can['’]t|cannot)|(?:not|n['’]t) (?:allowed|permitted)|is (?:forbidden|prohibited|off[- ]limits)|(?:without|unless|until) (?:asking|i (?:say|ask|tell|confirm|approve|agree|ok)|my\b|me\b)|ask (?:me )?(?:before|first)\b|(?:tell|show|check with) me (?:before|first|each|every|.{1,60}\bbefore (?:you|\w+ing)\b)|from now on\b|wait for (?:my|me)\b|in your (?:repl(?:y|ies)|answers?|responses?|messages?)|(?:for|until) (?:ever|further notice)|no matter what|i (?:do not|don['’]?t) want (?:you|any|to see)|i (?:always |only |would |['’]d )?prefer|stick (?:to|with)|leave .{1,60} (?:alone|untouched|as (?:it|they) (?:is|are)|unchanged)|keep .{1,60} (?:unchanged|untouched|stable|as (?:it|they) (?:is|are)))\b/i;
/** "never" and "always" before what somebody does or is to do; before a form in -s, -ing or -ed they describe. */
const EVER = /(?<!\bcan )\b(?:never|always) (?!in\b|on\b|correct\b|\w+(?:ing|ed|[^s]s)\b)\w/i;
const THINGS =
  "(?:repl(?:y|ies)|answers?|messages?|responses?|commits?|numbers?|sentences?|names?|changes?|files?|functions?|tests?|commands?|steps?|time|tasks?|prs?|pull requests?)";
/** An order that is for each of many times: "Write every number …", "let's drop the dash before each commit". */
const EACH_TIME = new RegExp(
  `${LEAD}${ORDER}.{0,120}\\b(?:(?:every|each|any)(?: of)? (?:\\w{1,12} )?(?:your |the |my )?|all (?:of )?(?:your |my )?(?=repl|answ|mess|resp|commit m))${THINGS}\\b`,
  "i",
);
/** "Every commit needs a ticket number", "All your answers should be in French". */
const EACH_THING = new RegExp(
  `${LEAD}(?:(?:every|each)(?: \\w{1,12})? ${THINGS}|all (?:of )?(?:your|my) \\w+)\\b.{0,60}\\b(?:needs?|gets?|must|ha(?:s|ve) to|should|starts?|ends?)\\b`,
  "i",
);
/** One way and not the other: "use tabs, not spaces", "X instead of Y", "pick X over Y". */
const CHOOSES =
  /(?:^|[,;:]\s?)(?:(please|and|also|just|actually|so|but|then),? ){0,2}(?:(?:use|pick|choose|prefer|take|write|name|call|put|keep|cite|give|return|format|answer|reply|respond|speak|end|begin|start|open|close|sign)\b.{1,160}(?:,? (?:and )?not\b|\binstead of\b|\brather than\b|,? no\b|\bonly(?=[,.;!]|$)|,? never\b|\bexact(?:ly)?\b)|(?:pick|choose|prefer|take)\b.{1,160}\bover\b)/i;
/** Describes, wonders or reports: no order, whatever words it uses. A parenthesis that is only closed belongs to a sentence cut in two. */
const REPORTS =
  /^(?:(and|but|so|also|ok(?:ay)?|well|hm+|oh|no|yes),? ){0,2}(?:(?:it|this|that|there|he|she|they|these|those|i|we)(?:['’]\w+)? (?!(?:do not|don['’]?t|would|want|prefer|need|expect|only want|always want|must|should|never|always)\b)|(?:no|not) (?:problem|worries|need|idea|hurry|rush|it|that|this|sure|yet|bad|thanks?|really|quite|exactly|what|the)\b|nothing (?:changed|happen|works)|(?:do not|don['’]?t) (?:worry|know|think|you|understand|see|get)\b|how|what|why|which|who|where|is|are|was|were|does|did|has|have|like (?:it|this|that|when)|though|although|taking a step)\b|^[^(]*\)|^`[^`]+`\s+(?:—|–|-|:|is\b|are\b)|:$/i;
const ASKS = /\?["'”’)\s]*$/;
const EVER_SINCE = /\b(?:has|have|had|was|were|is|are|did|does|it|which) (?:never|always)\b(?!.*\b(?:must|should)\b)/i;

/** Whether a sentence of a person binds all later work: a ban, a rule for every time, or one way instead of another. */
export function isStandingRule(sentence: string): boolean {
  if (sentence.length > MAX_RULE_CHARACTERS || ASKS.test(sentence) || REPORTS.test(sentence)) return false;
  if (!/\s\S+\s/.test(sentence) && !OPENS.test(sentence) && !isBareBan(sentence)) return false;
  return (
    OPENS.test(sentence) ||
    isBareBan(sentence) ||
    CONDITION.test(sentence) ||
    CHOOSES.test(sentence) ||
    EACH_TIME.test(sentence) ||
    EACH_THING.test(sentence) ||
    ((HOLDS.test(sentence) || EVER.test(sentence)) && !EVER_SINCE.test(sentence))
  );
}

function isBareBan(sentence: string): boolean {
  return BARE_BAN.test(sentence) && !NO_BARE_BAN.test(sentence);
}

/** Pasted code and logs are no prose: less than two thirds are letters, or the line is none of a text. */
export function isProse(sentence: string): boolean {
  const others = sentence.replace(/[\p{L}\s]+/gu, "").length;
  return (
    sentence.length - others > sentence.length * 0.65 && !/^(?:at .{1,200}:\d|["{[<|])|[{};,]$|":\s/.test(sentence)
  );
}

/** The sentences of a person's text, of any length, that make standing rules or lift some; in order, word for word. */
export function findRuleSentences(text: string): readonly string[] {
  const found = new Set<string>();
  const isPasted = isDocument(text);
  for (const sentence of splitLoosely(unfence(text))) {
    if (sentence.length > MAX_RULE_CHARACTERS || !isProse(sentence) || COMMENT.test(sentence)) continue;
    const isRule = isStandingRule(sentence) && (!isPasted || TO_AGENT.test(sentence));
    if (isRule || LIFTS.test(sentence)) found.add(sentence);
  }
  return [...found].slice(-MAX_RULES);
}

/** An issue, a plan or a report: what it says of the work in hand is a part of the task, not a rule for all later work. */
function isDocument(text: string): boolean {
  return text.length > MAX_NOTE_CHARACTERS || (text.match(LIST_OR_HEADING)?.length ?? 0) > MAX_LIST_LINES;
}

const MAX_NOTE_CHARACTERS = 1_500;
const MAX_LIST_LINES = 5;
const LIST_OR_HEADING = /^[ \t]*(?:#{1,6} |[-*] |\d{1,3}[.)] )\S/gm;
/** A ban with a verb, or a word to the agent or about its answers. */
const TO_AGENT = new RegExp(
  `${LEAD}(?:do not|don['’]?t|never|always|avoid|refrain from|from now on)\\b|\\b(?:you|your|me|my|i|repl(?:y|ies)|answers?|respond)\\b`,
  "i",
);

/** In longer texts, which are pastes, a fence may be open or closed anywhere: code in them is known by what it looks like. */
const MAX_TYPED_CHARACTERS = 4_000;
/** Comments, and lines of a file as reading tools number them. */
const COMMENT = /^(?:\d{1,6}[→\t]|\/\/|\/\*|--|<!--|#)/;

/** A fence that is never closed would hide everything after it. */
function unfence(text: string): string {
  if (text.length > MAX_TYPED_CHARACTERS) return text.replaceAll("```", "\n");
  const last = text.lastIndexOf("```");
  if (last < 0 || text.split("```").length % 2 === 1) return text;
  return `${text.slice(0, last)}\n${text.slice(last + 3)}`;
}

const LIFTS =
  /\b(?:you (?:can|may|are allowed to|['’]re allowed to)\b.{1,80}\b(?:now|again|after all|from now on|any ?time)\b|(?:now|from now on),? you (?:can|may)\b|feel free to\b|(?:it['’]?s|it is) (?:ok(?:ay)?|fine|alright) (?:now )?to\b|(?:do not|don['’]?t|no longer) (?:have|need) to\b|no need to\b.{1,80}\bany ?(?:more|longer)\b|(?:forget|drop|lift|ignore|scrap|cancel)(?: about)? (?:the|my|that|what i said)\b.{0,40}\b(?:rule|constraint|restriction|instruction|ban|limit|about)\b)/i;
/** Says that another rule no longer holds as it was. */
const INSTEAD = /\b(?:instead|actually|no longer|from now on|rather|after all|changed my mind|scratch that)\b/i;
const FORBIDS =
  /\b(?:never|not|no|avoid|without|stop|refrain|forbidden|prohibited)\b|n['’]t\b|\b(?:dont|mustnt|shouldnt|cant)\b/i;
/** A newer sentence is about the same as an older one if it shares so many of its words. */
const SAME_MATTER = 0.6;
const SAME_CHOICE = 0.5;

/** The rules that hold after these sentences, the oldest first; `known` held before them. A newer one replaces what it contradicts, and permission lifts what was forbidden. */
export function followRules(
  sentences: readonly string[],
  known: readonly StandingRule[] = [],
): readonly StandingRule[] {
  let rules = known;
  for (const sentence of sentences) {
    const words = findMatter(sentence);
    if (LIFTS.test(sentence)) {
      rules = rules.filter((rule) => shareOf(words, findMatter(rule.sentence)) < SAME_MATTER);
      if (!isStandingRule(sentence) || /\b(?:have|need) to\b/i.test(sentence)) continue;
    }
    if (!isStandingRule(sentence)) continue;
    const old = rules.findLast((rule) => contradicts({ sentence, words }, rule.sentence));
    const others = rules.filter((rule) => rule !== old && rule.sentence !== sentence);
    rules = [...others, { sentence, replaced: old === undefined || old.sentence === sentence ? "" : old.sentence }];
  }
  return rules;
}

function contradicts(newer: { readonly sentence: string; readonly words: ReadonlySet<string> }, older: string) {
  if (newer.sentence === older) return true;
  const matter = findMatter(older);
  const share = Math.min(shareOf(newer.words, matter), shareOf(matter, newer.words));
  if (FORBIDS.test(newer.sentence) !== FORBIDS.test(older)) return share >= SAME_MATTER;
  return INSTEAD.test(newer.sentence) && share >= SAME_CHOICE;
}

const EMPTY: ReadonlySet<string> = new Set(
  `a about actually after again all also always an and any anymore are as at be before but by can do don dont every ever feel fine for forget free
  from have i if in instead is it its just let me may more must my need never no not now of ok okay on only or please rule shall should so than that
  the their them then this to us use we when will with without you your`.split(/\s+/),
);

/** The words that say what a sentence is about; crude stems are enough to compare two. */
function findMatter(sentence: string): ReadonlySet<string> {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, "")));
}

/** How many of one's words are among the other's. */
function shareOf(words: ReadonlySet<string>, among: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : [...words].filter((word) => among.has(word)).length / words.size;
}

/** Upper limit of the block, by the upper bound of every tokenizer. */
const MAX_RULE_TOKENS = 400;
export const RULES_HEADING = "The user's standing rules, newest first:";

/** How rules are shown. */
interface RuleBlock {
  readonly weigh: (text: string) => number;
  /** What is in view anyway: rules that it does not hold word for word come first where there is no room for all. */
  readonly shown?: string;
}

/** Speaks to the agent, or of the person: in a pasted document few sentences do. */
const ADDRESSES = /\b(?:you|your|me|my|i)\b/i;

function isTyped({ sentence }: StandingRule): boolean {
  return ADDRESSES.test(sentence) || CHOOSES.test(sentence) || OPENS.test(sentence);
}

/** The rules as one block, newest first, word for word; empty if there is none. */
export function renderRules(rules: readonly StandingRule[], { weigh, shown = "" }: RuleBlock): string {
  const isShown = ({ sentence }: StandingRule): boolean => shown.includes(sentence);
  const newest = [...rules].reverse();
  const chosen = new Set<StandingRule>();
  const render = (): string => [RULES_HEADING, ...newest.filter((rule) => chosen.has(rule)).map(renderRule)].join("\n");
  const rankOf = (rule: StandingRule): number => (isShown(rule) ? 2 : isTyped(rule) ? 0 : 1);
  for (const rule of newest.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    chosen.add(rule);
    if (weigh(render()) > MAX_RULE_TOKENS) chosen.delete(rule);
  }
  return chosen.size === 0 ? "" : render();
}

function renderRule({ sentence, replaced }: StandingRule): string {
  return `- "${sentence}"${replaced === "" ? "" : ` (instead of "${replaced}")`}`;
}

const RULE_LINE = /^- "(.*?)"(?: \(instead of "(.*)"\))?$/;

/** The rules of a block, the oldest first. */
export function parseRules(text: string): readonly StandingRule[] {
  const at = text.indexOf(RULES_HEADING);
  if (at < 0) return [];
  const rules: StandingRule[] = [];
  for (const line of text.slice(at + RULES_HEADING.length + 1).split("\n")) {
    const [isRule, sentence = "", replaced = ""] = RULE_LINE.exec(line) ?? [];
    if (isRule === undefined) break;
    rules.unshift({ sentence, replaced });
  }
  return rules;
}
