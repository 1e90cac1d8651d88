import { findOwnHandle } from "./own-texts.ts";

/** What a handle gave back, all pages of it. */
export interface Recalled {
  readonly texts: readonly string[];
  readonly pictures: readonly { readonly mediaType: string; readonly data: string }[];
}

/** Really fetches; `undefined` where nothing is kept under a handle. */
export type Recall = (handle: string) => Promise<Recalled | undefined>;

export type Fetched = ReadonlyMap<string, Recalled | undefined>;

const AT_ONCE = 8;

/** Each handle once, a few at a time. What is itself a marker is followed to what it stands for. */
export async function fetchHandles(handles: Iterable<string>, recall: Recall): Promise<Fetched> {
  const fetched = new Map<string, Recalled | undefined>();
  let wanted = [...new Set(handles)];
  while (wanted.length > 0) {
    const waiting = [...wanted];
    const work = async (): Promise<void> => {
      for (let handle = waiting.shift(); handle !== undefined; handle = waiting.shift())
        fetched.set(handle, await recall(handle));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const found = wanted.flatMap((handle) => fetched.get(handle)?.texts ?? []);
    wanted = [...new Set(found.flatMap((text) => findOwnHandle(text) ?? []))].filter((own) => !fetched.has(own));
  }
  return fetched;
}
