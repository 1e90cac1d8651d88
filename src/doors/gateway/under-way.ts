/** What has begun and not ended. */
export interface UnderWay {
  /** The returned function ends it. */
  begin(): () => void;
  /** Once nothing is; at once where nothing was. */
  settled(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  let count = 0;
  let waiting: (() => void)[] = [];
  const end = (): void => {
    count--;
    if (count > 0) return;
    for (const tell of waiting) tell();
    waiting = [];
  };
  return {
    begin() {
      count++;
      return end;
    },
    settled: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
  };
}
