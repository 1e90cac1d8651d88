/** Resolves when the person has stopped the event. */
export function whenStopped(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve(undefined);
    else signal?.addEventListener("abort", () => resolve(undefined));
  });
}

/** `undefined` after the limit. */
export async function settleWithin<Value>(work: Promise<Value>, limitS: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitS * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
