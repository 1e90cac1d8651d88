/** What one sentence demands or forbids, in words that two files can be compared by. */
export interface Rule {
  /** As it stands in the file. */
  readonly sentence: string;
  readonly isNegated: boolean;
  /** `use tabs`, without case, marks, articles, and openers such as "always". */
  readonly action: string;
  /** `in makefiles`: a rule for a part is an exception to a rule for all, not a contradiction of it. */
  readonly qualifier: string;
}

const MAX_WORDS = 30;
const FILLERS: ReadonlySet<string> = new Set(
  "the a an of with please always only just exactly your our you we must should shall will be".split(" "),
);
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const ACTS: ReadonlyMap<string, string> = new Map(
  "using=use committing=commit pushing=push adding=add writing=write importing=import running=run mocking=mock throwing=throw editing=edit creating=create"
    .split(" ")
    .map((pair) => [pair.replace(/=.*/, ""), pair.replace(/.*=/, "")]),
);
const PLAIN_ACTS: ReadonlySet<string> = new Set(ACTS.values());

const NEGATION =
  /^(?:please )?(?:you |we )?(?:never|do not|don't|must not|mustn't|must never|should not|shouldn't|should never|avoid|no|not)\b ?/;
const NEGATED_PASSIVE =
  /^(.{1,80}?) (?:(?:must|should) (?:not|never) be used|(?:is|are) (?:not allowed|forbidden|prohibited))\b(.*)$/;
const PASSIVE = /^(.{1,80}?) (?:(?:must|should) (?:always )?be used|(?:is|are) (?:required|mandatory))\b(.*)$/;
/** "Use pnpm, not npm" says two things. */
const CONTRAST = /^(.{1,120}?),? (?:instead of|rather than|and not|and never|not|never) (.{1,80})$/;
const PREFERENCE = /^prefer (.{1,80}?) (?:over|to) (.{1,80})$/;
const QUALIFIER = /\s(?:in|for|when|if|unless|except|on|inside|within|under|before|after|during|while)\s.*$/;

/** None where the sentence is too long to be one rule. */
export function parseRule(sentence: string): readonly Rule[] {
  const text = normalise(sentence);
  if (text === "" || text.split(" ").length > MAX_WORDS) return [];
  const bare = text.replace(/^[\w -]{1,40}: (?=\S)/, "");
  const rule = (words: string, isNegated: boolean): Rule => {
    const qualifier = QUALIFIER.exec(words)?.[0] ?? "";
    const action = reduceWords(words.slice(0, words.length - qualifier.length));
    return { sentence: sentence.trim(), isNegated, action, qualifier: reduceWords(qualifier) };
  };
  return parseSides(bare)
    .map(({ words, isNegated }) => rule(words, isNegated))
    .filter(({ action }) => action !== "");
}

function parseSides(text: string): readonly { readonly words: string; readonly isNegated: boolean }[] {
  const forbidden = NEGATED_PASSIVE.exec(text);
  if (forbidden) return [{ words: `use ${forbidden[1]}${forbidden[2]}`, isNegated: true }];
  const required = PASSIVE.exec(text);
  if (required) return [{ words: `use ${required[1]}${required[2]}`, isNegated: false }];
  const negation = NEGATION.exec(text)?.[0];
  if (negation !== undefined) {
    const rest = text.slice(negation.length);
    // "No tabs", "avoid tabs" forbid a thing; "never commit", "must not commit" an act.
    const isThing = /(?:^| )(?:avoid|no) ?$|^not ?$/.test(negation) && !startsWithAct(rest);
    return [{ words: isThing ? `use ${rest}` : rest, isNegated: true }];
  }
  const opened = text.replace(/^(?:please )?(?:you |we )?(?:(?:must|should|shall) )?(?:always )?/, "");
  const contrast = PREFERENCE.exec(opened) ?? CONTRAST.exec(opened);
  if (!contrast) return [{ words: opened.replace(/^prefer /, "use "), isNegated: false }];
  const wanted = (contrast[1] ?? "").replace(/^prefer /, "use ");
  return [
    { words: /^use /.test(wanted) || !PREFERENCE.test(opened) ? wanted : `use ${wanted}`, isNegated: false },
    { words: startsWithAct(contrast[2] ?? "") ? (contrast[2] ?? "") : `use ${contrast[2]}`, isNegated: true },
  ];
}

function startsWithAct(words: string): boolean {
  const [first = ""] = words.split(" ");
  return ACTS.has(first) || PLAIN_ACTS.has(first);
}

/** Lower case, no marks of emphasis, no end mark, one space between words. */
function normalise(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/\]\([^)\s]{0,200}\)/g, "]")
    .replace(/[`"*_()[\]]/g, " ")
    .replace(/(\d)-(?=[a-z])/g, "$1 ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.,;:!?]{1,9}$/, "")
    .trim();
}

function reduceWords(text: string): string {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== "" && !FILLERS.has(word))
    .map((word) => {
      const number = NUMBERS.indexOf(word);
      return number >= 0 ? String(number) : (ACTS.get(word) ?? word);
    })
    .join(" ");
}
