/** What was waited for did not come in time. */
export class TimeSpentError extends Error {
  override readonly name = "TimeSpentError";
}

/** Waits no longer than this. What comes later is for nobody. */
export function within<Value>(timeoutMs: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeSpentError(`no answer within ${timeoutMs} ms`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
