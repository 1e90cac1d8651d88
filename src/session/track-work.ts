import { isUnfinished, type Outcome, type TodoItem, type WorkStatus } from "./action.ts";
import type { HappeningOf, Tracker } from "./happening.ts";

/** A named piece of work, and the call that proves its status. */
export interface WorkItem {
  readonly id: string;
  readonly subject: string;
  readonly status: WorkStatus;
  readonly evidence: string;
  readonly createdRequest: number;
  readonly changedRequest: number;
  /** When it was last started; 0 for never. */
  readonly startedRequest: number;
  readonly createdBy: string;
  /** Position on the to-do list as last written; absent for tasks, and for items no longer on it. */
  readonly place?: number | undefined;
}

interface Change extends Pick<HappeningOf<"outcome">, "request" | "callId"> {
  readonly subject?: string;
  readonly status?: WorkStatus | undefined;
  readonly place?: number | undefined;
}

/** Beyond this the oldest finished ones are dropped, so that a session of weeks stays bounded. */
const MAX_ITEMS = 1000;

/** Tasks by their host's id, and the to-do list, whose items have only their words. */
export function createWorkTracker(saved: readonly WorkItem[] = []): Tracker<readonly WorkItem[]> {
  let items = new Map<string, WorkItem>(saved.map((item) => [item.id, item]));

  const put = (id: string, change: Change): void => {
    items.set(id, applyChange(items.get(id), id, change));
    if (items.size > MAX_ITEMS) forgetOldest(items);
  };

  const createTask = (id: string, change: Change): void => {
    const known = items.get(id);
    if (known?.createdBy === change.callId) return;
    // Ids start over with a new list, which says nothing about the old list's open work.
    if (known) items = archiveTasks(items, change);
    items.delete(id);
    put(id, change);
  };

  const replaceTodos = (todos: readonly TodoItem[], request: number, callId: string): void => {
    const known = [...items.values()].filter(isTodo);
    const ids = pairTodos(known, todos);
    const kept = new Set(ids);
    // A list is written whole each time: an item no longer on it was dropped, unless it had been finished.
    for (const item of known.filter((each) => isListed(each) && !kept.has(each.id)))
      put(item.id, { status: isUnfinished(item) ? "dropped" : item.status, place: undefined, request, callId });
    for (const [place, { subject, status }] of todos.entries())
      put(ids[place] ?? uniqueId(items, `todo:${subject}`), { subject, status, place, request, callId });
  };

  const followOutcome = ({ action, outcome, request, callId }: HappeningOf<"outcome">): void => {
    if (outcome.isError) return;
    if (action.kind === "createTask" && outcome.taskId !== "")
      createTask(outcome.taskId, { subject: action.subject, status: "open", request, callId });
    if (action.kind === "updateTask" && action.taskId !== "")
      put(action.taskId, { subject: action.subject, status: outcome.taskStatus ?? action.status, request, callId });
    if (action.kind === "replaceTodos") replaceTodos(outcome.todos ?? action.todos, request, callId);
    for (const { id, ...change } of compareList(items.values(), outcome.tasks)) put(id, { ...change, request, callId });
  };

  return {
    follow(happening) {
      if (happening.kind === "outcome") followOutcome(happening);
    },
    state: () => [...items.values()],
  };
}

function applyChange(known: WorkItem | undefined, id: string, change: Change): WorkItem {
  const { request, callId } = change;
  const status = change.status ?? known?.status ?? "open";
  const isNews = known?.status !== status;
  return {
    id,
    subject: change.subject || known?.subject || `#${id}`,
    status,
    evidence: isNews ? callId : known.evidence,
    createdRequest: known?.createdRequest ?? request,
    changedRequest: isNews ? request : known.changedRequest,
    startedRequest: isNews && status === "active" ? request : (known?.startedRequest ?? 0),
    createdBy: known?.createdBy ?? callId,
    ...(change.place !== undefined && { place: change.place }),
  };
}

/** The host's own list knows best: about tasks created before the recording begins, and about those that are gone. */
function compareList(items: Iterable<WorkItem>, tasks: Outcome["tasks"]) {
  if (!tasks) return [];
  const listed = new Set(tasks.map((task) => task.id));
  const gone = [...items].filter((item) => !isTodo(item) && !listed.has(item.id) && isUnfinished(item));
  const dropped = gone.map(({ id }) => ({ id, status: "dropped" as const }));
  return [...dropped, ...tasks.filter(({ id }) => id !== "")];
}

function isTodo(item: WorkItem): boolean {
  return item.id.startsWith("todo:");
}

/** The old list's tasks under ids that no host gives, in their old positions. */
function archiveTasks(items: ReadonlyMap<string, WorkItem>, { request, callId }: Change): Map<string, WorkItem> {
  const archived = new Map<string, WorkItem>();
  for (const [id, item] of items) {
    if (isTodo(item) || id.includes("@")) {
      archived.set(id, item);
      continue;
    }
    const aside = uniqueId(items, `${id}@${item.createdRequest}`);
    const status = isUnfinished(item) ? "dropped" : item.status;
    archived.set(aside, { ...applyChange(item, aside, { status, request, callId }), id: aside });
  }
  return archived;
}

function uniqueId(items: ReadonlyMap<string, WorkItem>, wanted: string): string {
  let id = wanted;
  for (let copy = 2; items.has(id); copy++) id = `${wanted}~${copy}`;
  return id;
}

function forgetOldest(items: Map<string, WorkItem>): void {
  const oldest = [...items.values()].find((item) => !isUnfinished(item) && !isListed(item));
  if (oldest) items.delete(oldest.id);
}

/** Reworded items share at least this part of all the words that either of them has. */
const MIN_SHARED_WORDS = 0.4;

/**
 * Which known item each item of a new list is, or `undefined` for a new one. Items have no ids: the same words are the same item, and twice
 * the same words are two items. Of the rest, an unfinished item that was reworded in place, or nearly kept its words elsewhere on the list,
 * is still the same.
 */
function pairTodos(known: readonly WorkItem[], todos: readonly TodoItem[]): readonly (string | undefined)[] {
  const bySubject = new Map<string, WorkItem[]>();
  // Items still on the list first: one dropped long ago comes back only if no other has its words.
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

function isListed(item: WorkItem): boolean {
  return item.place !== undefined;
}

function findReworded(left: readonly WorkItem[], subject: string, place: number): WorkItem | undefined {
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
