import { isQuestion } from "./is-question.ts";

/** What the client or a tool puts into the person's turn. */
const BOILERPLATE =
  /^(?:if you need specific details from before|unknown (?:slash )?command\b|caveat: the messages below|this session is being continued|\[request interrupted|the user (?:doesn['’]?t want|has approved|opened the file))|<\/?(?:local-command|command-name|system-reminder)\b/i;
/** Lines of a log, and sentences that tell what happened or how something seems. */
const REPORT =
  /^(?:\w*(?:Error|Exception|Warning)\b:|go: |(?:(?:hm+|ah+|oh|uh oh|ok|okay|sorry|and|but|so|also|yeah)\b[,\s-]*)*(?:(?:it )?(?:looks|seems) (?:like|li)\b|(?:i|we)(?:['’]ve)? (?:just |only |also |recently )*(?:tried|restarted|exited|did(?! not say| not ask)|ran|saw|got|started|continued|didn['’]?t (?:see|specify))\b|just (?:tried|restarted|exited|ran|got)\b|(?:it|this) (?:just |has )?happened\b|i (?:don['’]?t think|mean|guess)\b|(?:this|that|it|these|those|there|he|she|they|when|while|without)\b))/i;
/** Words that make even a report bind. */
const BINDS =
  /\b(?:must|should|never|always|make sure|ensure|avoid|keep|prefer|want|need(?:s)? to|ha(?:s|ve) to|let['’]?s|lets|please|do not|(?:can|could) (?:you|we|just|only)|consider|ideally)\b/i;

/** Whether a sentence of the person is an instruction or a preference, and not a question, a report or the client's own. */
export function isBinding(sentence: string): boolean {
  const said = sentence.trim();
  if (BOILERPLATE.test(said)) return false;
  return !isQuestion(said) && (!REPORT.test(said) || BINDS.test(said));
}
