/** Who may run beside whom: at most so many at once, in the order of arrival, and an exclusive one alone. */
export interface ToolQueue {
  /** `true` once there is room; `false` where the queue was cleared before. */
  enter(isExclusive: boolean): Promise<boolean>;
  /** One that entered is done. */
  release(): void;
  /** Sends away all who wait. */
  clear(): void;
}

interface Waiting {
  readonly isExclusive: boolean;
  readonly answer: (isEntering: boolean) => void;
}

export function createToolQueue(maxConcurrent: number): ToolQueue {
  const waiting: Waiting[] = [];
  let running = 0;
  let isExclusiveRunning = false;

  const hasRoom = ({ isExclusive }: Waiting): boolean =>
    running === 0 || (!isExclusive && !isExclusiveRunning && running < maxConcurrent);

  const admit = (): void => {
    for (let next = waiting[0]; next !== undefined && hasRoom(next); next = waiting[0]) {
      waiting.shift();
      running++;
      isExclusiveRunning = next.isExclusive;
      next.answer(true);
    }
  };

  return {
    enter: (isExclusive) =>
      new Promise((resolve) => {
        waiting.push({ isExclusive, answer: resolve });
        admit();
      }),
    release: () => {
      running--;
      isExclusiveRunning = false;
      admit();
    },
    clear: () => {
      for (const { answer } of waiting.splice(0)) answer(false);
    },
  };
}
