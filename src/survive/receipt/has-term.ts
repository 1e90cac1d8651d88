/** Whether a text holds a name exactly, and not as a part of a longer one. */
export function hasTerm(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (!/[\w$]/.test(text[at - 1] ?? "") && !/[\w$]/.test(text[at + term.length] ?? "")) return true;
  return false;
}
