/** Words that tell nobody what to do next, with what may be wrapped around them. */
const VAGUE =
  /^(?:please |just |let'?s |then |and |now )*(?:continue|carry on|keep going|keep working|go on|go ahead|proceed|resume|finish up|do the rest|yes|yep|ok(?:ay)?|sure|next(?: step)?|work on it|continue work(?:ing)?)(?: (?:working|work|with (?:it|this|that|the (?:work|task|rest|implementation))|on (?:it|this|the (?:work|task))|from (?:there|here|where (?:we|you) left off)|please|the (?:work|task|session|conversation)|as (?:before|planned)))*[.!…]*$/i;

/** Whether a next action says nothing: no file, no command, no subject. */
export function isVague(action: string): boolean {
  const words = action.trim();
  return words === "" || VAGUE.test(words);
}
