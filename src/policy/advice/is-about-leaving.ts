/** What comes next, in words that part it from what was: "something else", "a new task", "an unrelated bug". */
const LEAVING =
  /\b(?:unrelated|something (?:else|different|new)|(?:new|different|other|another|next) (?:task|topic|feature|project|subject|thing|problem|ticket|issue)|fresh start|start(?:ing)? (?:over|afresh|fresh|anew)|from scratch)\b/i;

/** Whether the person says that what comes next has nothing to do with what fills the window. */
export function isAboutLeaving(prompt: string): boolean {
  return LEAVING.test(prompt);
}
