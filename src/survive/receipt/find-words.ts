/** Words that occur in any text about code, and so identify none. Negations are handled separately. */
const COMMON: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below both but by can could
  did do does doing done during each few for from further had has have having he her here hers him his how i if in into
  is it its just let like me more most my new no nor not now of off ok okay on once one only or other our out over own
  please same she should so some still such sure than that the their them then there these they this those through to
  too under until up us very was we were what when where which while who why will with would yes you your yours dont
  doesnt didnt isnt arent wasnt wont cant couldnt shouldnt wouldnt ive ill im id youre thats lets its theres were need
  needs want wants make makes making made get gets got think know see look looks seems thing things something way actually
  add added code since run running really maybe also yeah yep nope hmm hm oh ah cool going go first next two use used using user instead rather never always must s t re ve ll d m`.split(
    /\s+/,
  ),
);

const WORD = /[\p{L}\p{N}$]+/gu;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
const ENDING = /(?:ations?|ments?|ings?|ions?|ers?|ies|ed|es|ly|s|e|y)$/;
const MAX_STEM_CHARACTERS = 8;

/** The content words of a text as stems, each once, in order. Names in code are split into their parts. */
export function findWords(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [run] of text.replace(/['’]/g, "").matchAll(WORD))
    for (const part of run.split(HUMP)) {
      const word = part.toLowerCase();
      if (!COMMON.has(word) && word.length > 1) found.add(stem(word));
    }
  return [...found];
}

/** Crude on purpose: two forms of a word need to match, not to be correct. */
function stem(word: string): string {
  const bare = word.replace(ENDING, "");
  return (bare.length >= 3 ? bare : word).slice(0, MAX_STEM_CHARACTERS);
}

/** A text's words alone, for comparing word for word whatever is between them. */
export function flatten(text: string): string {
  return ` ${text.replace(/['’]/g, "").toLowerCase().match(WORD)?.join(" ") ?? ""} `;
}

const NEGATION =
  /\b(?:not|never|no|none|nothing|don['’]?t|doesn['’]?t|didn['’]?t|isn['’]?t|aren['’]?t|won['’]?t|can['’]?t|cannot|shouldn['’]?t|mustn['’]?t|needn['’]?t|without|avoid\w*|skip\w*|forbid\w*|prohibit\w*|stop|exclud\w*|ignor\w*|instead|rather than|remov\w*|only|unless|except|unnecessary|no longer|prefer\w*|leave|against|reject\w*)\b/i;
const FORBIDS =
  /^(?:(?:please|also|and|but|so|ok|okay|just|then|no),? )*(?:do not|don['’]?t|never|no|not|avoid|stop|without)\b|\b(?:must|should|shall|may|can)(?: not|n['’]?t| never)\b|\bcannot\b|\b(?:never|please (?:do not|don['’]?t))\b/i;

/** Whether a text may contain a "not". Matches broadly, for texts in which one is searched for. */
export function hasNegation(text: string): boolean {
  return NEGATION.test(text);
}

/** Whether a text forbids something: its "not" must be kept. */
export function isForbidding(text: string): boolean {
  return FORBIDS.test(text);
}

/** Whether a text contains a name exactly, not as a part of a longer one made of such characters. */
export function hasTerm(text: string, term: string, character: RegExp = /[\w$]/): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (!character.test(text[at - 1] ?? "") && !character.test(text[at + term.length] ?? "")) return true;
  return false;
}
