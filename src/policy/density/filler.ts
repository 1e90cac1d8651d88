/** Words that go wherever they stand as a word of their own. */
export const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "the"]);

export const FILLER_WORDS: ReadonlySet<string> = new Set([
  "just",
  "really",
  "basically",
  "actually",
  "simply",
  "very",
  "quite",
  "essentially",
  "literally",
  "obviously",
  "clearly",
]);

/** "not very" is not "not": a filler behind one of these carries meaning. */
export const NEGATIONS: ReadonlySet<string> = new Set(["not", "never", "no", "hardly", "cannot", "nor", "without"]);

/** An article stands before a noun. Before one of these, `a` is a name: "set a to 5", "a is undefined". */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  "to is are was were be been and or nor but of in on at as by for from with than then equals has had does do did will would can could may might must should if so not plus minus times".split(
    " ",
  ),
);

/** Introductions to a sentence that say nothing: they go, the sentence stays. */
export const LEAD_INS: readonly (readonly string[])[] = [
  "please note that",
  "note that",
  "it is worth noting that",
  "it's worth noting that",
  "it should be noted that",
  "it is important to note that",
  "as you can see",
  "needless to say",
  "in addition",
  "additionally",
  "furthermore",
  "moreover",
  "of course",
  "sure",
  "certainly",
  "absolutely",
].map((phrase) => phrase.split(" "));

/** Whole sentences of politeness. */
export const PLEASANTRIES: readonly (readonly string[])[] = [
  "great question",
  "good question",
  "thank you",
  "thanks",
  "you're welcome",
  "happy to help",
  "glad to help",
  "i'd be happy to help",
  "i'd be happy to help with that",
  "i hope this helps",
  "hope this helps",
  "let me know if you have any questions",
  "let me know if you need anything else",
  "feel free to ask",
  "sure",
  "certainly",
  "absolutely",
  "of course",
].map((phrase) => phrase.split(" "));
