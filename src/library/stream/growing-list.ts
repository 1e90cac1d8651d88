/** A list that is gone through while it still grows. */
export interface GrowingList<Item> {
  push(item: Item): void;
  /** Nothing will be added any more. */
  close(): void;
  isClosed(): boolean;
  items(): readonly Item[];
  /** From the first item on; waits at the end until there is another one or the list is closed. */
  walk(): AsyncGenerator<Item, void, undefined>;
}

export function createGrowingList<Item>(): GrowingList<Item> {
  const items: Item[] = [];
  let isClosed = false;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const answer of woken) answer();
  };
  async function* walk(): AsyncGenerator<Item, void, undefined> {
    for (let index = 0; ; ) {
      for (const item of items.slice(index)) {
        index++;
        yield item;
      }
      if (index < items.length) continue;
      if (isClosed) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }
  return {
    push: (item) => {
      items.push(item);
      wake();
    },
    close: () => {
      isClosed = true;
      wake();
    },
    isClosed: () => isClosed,
    items: () => items,
    walk,
  };
}
