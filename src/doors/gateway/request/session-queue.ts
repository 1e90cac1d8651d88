/** Requests of one conversation are decided one after another; those of different ones do not wait for each other. */
export function createSessionQueue(): <Value>(session: string, work: () => Promise<Value>) => Promise<Value> {
  const last = new Map<string, Promise<unknown>>();
  return async (session, work) => {
    const before = last.get(session);
    const done = before === undefined ? work() : before.then(work, work);
    last.set(session, done);
    try {
      return await done;
    } finally {
      if (last.get(session) === done) last.delete(session);
    }
  };
}
