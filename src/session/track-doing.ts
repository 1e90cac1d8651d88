import type { Happening, Tracker } from "./happening.ts";
import { splitSentences } from "./sentences.ts";

/** What the model said it sets about, in its own words, while it is at it. */
export interface Doing {
  readonly text: string;
  readonly request: number;
}

const MAX_CHARACTERS = 200;
/** An intention as such, at the beginning of its sentence. */
const INTENDS =
  /^\W{0,4}(?:(?:now|next|then|first|good|great|perfect|ok(?:ay)?|alright|right|excellent|so|also|finally)[,.!:—-]{0,2}\s{1,3}){0,2}(?:let me|let['’]s|I(?:['’]ll| will|['’]m going to| am going to| need to| also need to| now need to)|we need to|time to|now\s(?!that|it|the|this|there|we have|you)[a-z]{2,}(?:ing\b|\b))\s\S/i;
/** Words to the person, and what nobody sets about. */
const SPEAKS_TO_PERSON =
  /\?\s*$|\b(?:let me know|let me explain|let me summari[sz]e|I['’]ll (?:wait|be|stop|leave)|I need (?:you|your)|need to (?:know|decide|ask)|let me (?:ask|know|answer))\b/i;

/** Keeps the newest; the person's next word is the plan from then on. */
export function createDoingTracker(saved?: Doing): Tracker<Doing | undefined> {
  let doing = saved;
  return {
    follow(happening: Happening) {
      if (happening.kind === "asked" || happening.kind === "interrupted") doing = undefined;
      if (happening.kind !== "said") return;
      const said = splitSentences(happening.text).findLast((sentence) => INTENDS.test(sentence));
      // A text that sets about nothing ends what was being done: it tells what came of it.
      doing =
        said === undefined || SPEAKS_TO_PERSON.test(said)
          ? undefined
          : { text: said.slice(0, MAX_CHARACTERS), request: happening.request };
    },
    state: () => doing,
  };
}
