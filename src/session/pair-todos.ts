import type { TodoItem } from "./action.ts";

/** A to-do item as it was known before its list was written anew. */
export interface KnownTodo {
  readonly id: string;
  readonly subject: string;
  readonly status: string;
  readonly place?: number | undefined;
}

/** Reworded items share at least this part of all the words that either of them has. */
const MIN_SHARED_WORDS = 0.4;

/**
 * Which known item each item of a new list is, or `undefined` for a new one. Items have no ids: the same words are the same
 * item, twice the same words are two; of the rest, an unfinished one that was reworded in its place, or nearly kept its
 * words elsewhere on the list, is still itself.
 */
export function pairTodos(known: readonly KnownTodo[], todos: readonly TodoItem[]): readonly (string | undefined)[] {
  const bySubject = new Map<string, KnownTodo[]>();
  // Those still on the list first: an item that was dropped long ago comes back only when no other has its words.
  for (const item of [...known].sort((left, right) => Number(isListed(right)) - Number(isListed(left)))) {
    const same = bySubject.get(item.subject);
    if (same) same.push(item);
    else bySubject.set(item.subject, [item]);
  }
  const ids = todos.map(({ subject }) => bySubject.get(subject)?.shift()?.id);
  const taken = new Set(ids);
  const left = known.filter((item) => isListed(item) && !taken.has(item.id) && item.status !== "done");
  for (const [place, todo] of todos.entries()) {
    if (ids[place] !== undefined || left.length === 0) continue;
    const reworded = findReworded(left, todo.subject, place);
    if (!reworded) continue;
    ids[place] = reworded.id;
    left.splice(left.indexOf(reworded), 1);
  }
  return ids;
}

function isListed(item: KnownTodo): boolean {
  return item.place !== undefined;
}

function findReworded(left: readonly KnownTodo[], subject: string, place: number): KnownTodo | undefined {
  const words = wordsOf(subject);
  return left
    .map((item) => ({ item, shared: shareOf(words, wordsOf(item.subject)) + (item.place === place ? 0.1 : 0) }))
    .filter(({ shared }) => shared >= MIN_SHARED_WORDS)
    .sort((one, other) => other.shared - one.shared)[0]?.item;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}
