/** A question that asks for something to be done, or proposes it. */
const REQUEST =
  /\b(?:(?:can|could) (?:you|we)|(?:would|will) you|please|let['’]?s|lets|make sure|(?:i|we) (?:\w+ )?(?:want|need|prefer)|i['’]?d|in favou?r|(?:maybe|perhaps|probably) (?:we|you)|(?:we|you) (?:probably )?should|is there (?:a|any) way|don['’]?t you)\b/i;
/** A request for an explanation, with or without a question mark. */
const EXPLAIN = /^(?:\w+[,:]? ){0,2}(?:(?:can|could|would) (?:you|we) (?:please )?)?(?:explain|clarify)\b/i;

/** Whether a text only asks for an answer, not for work. */
function isQuestion(text: string): boolean {
  return EXPLAIN.test(text) || (/\?["'”’)\s]*$/.test(text) && !REQUEST.test(text));
}

/** Text that the client or a tool puts into the user's turn. */
const BOILERPLATE =
  /^(?:if you need specific details from before|unknown (?:slash )?command\b|caveat: the messages below|this session is being continued|\[request interrupted|the user (?:doesn['’]?t want|has approved|opened the file))|<\/?(?:local-command|command-name|system-reminder)\b/i;
/** Log lines, and sentences that describe what happened or how something seems. */
const REPORT =
  /^(?:\w*(?:Error|Exception|Warning)\b:|go: |(?:(?:hm+|ah+|oh|uh oh|ok|okay|sorry|and|but|so|also|yeah)\b[,\s-]*)*(?:(?:it )?(?:looks|seems) (?:like|li)\b|(?:i|we)(?:['’]ve)? (?:just |only |also |recently )*(?:tried|restarted|exited|did(?! not say| not ask)|ran|saw|got|started|continued|didn['’]?t (?:see|specify))\b|just (?:tried|restarted|exited|ran|got)\b|(?:it|this) (?:just |has )?happened\b|i (?:don['’]?t think|mean|guess)\b|(?:this|that|it|these|those|there|he|she|they|when|while|without)\b))/i;
/** Words that make even a report binding. */
const BINDS =
  /\b(?:must|should|never|always|make sure|ensure|avoid|keep|prefer|want|need(?:s)? to|ha(?:s|ve) to|let['’]?s|lets|please|do not|(?:can|could) (?:you|we|just|only)|consider|ideally)\b/i;

/** Whether a user's sentence is an instruction or a preference, not a question, a report or the client's own text. */
export function isBinding(sentence: string): boolean {
  const said = sentence.trim();
  if (BOILERPLATE.test(said)) return false;
  return !isQuestion(said) && (!REPORT.test(said) || BINDS.test(said));
}

/** Work that changes nothing: looking, checking, handing in. */
const ROUTINE =
  /^(?:(?:step|phase) \d+\W*)?(?:re-?)?(?:run|verify|check|test|look|read|explore|understand|analy[sz]e|research|find|clean ?up|commit|push|log)\b/i;

/** Whether finished work left something that later work builds on. An answer or a passed check did not. */
export function isLasting(subject: string): boolean {
  return !isQuestion(subject) && !ROUTINE.test(subject);
}

const MIN_HEADINGS = 2;
/** So many lines are not typed: they are a plan, a review, a log or a screen. */
const MIN_LINES = 30;

/** Whether a prompt is a pasted document, whose sentences are not the user's own. */
export function isPasted(prompt: string): boolean {
  const lines = prompt.split("\n");
  return lines.length >= MIN_LINES || lines.filter((line) => /^\s*#{1,6} /.test(line)).length >= MIN_HEADINGS;
}
