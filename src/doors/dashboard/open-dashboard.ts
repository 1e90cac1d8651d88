import { type EngineThread, type EngineThreadOptions, startEngineThread } from "./engine-thread.ts";
import { createEventStream, readPage, type ServedPage, serveDashboard } from "./serve.ts";
import type { Refusals, ShownProgress, StateMessage } from "./wire.ts";

export interface DashboardOptions {
  /** 0 for any that is free. */
  readonly port: number;
  /** The folder of the built page. */
  readonly page: string;
  /** The built thread. */
  readonly worker: string;
  readonly engine: EngineThreadOptions["engine"];
}

const STARTING: ShownProgress = {
  phase: "accounts",
  doneBytes: 0,
  totalBytes: 0,
  files: 0,
  unreadable: 0,
  accountsOnly: 0,
  isSample: false,
  replay: { isRunning: false, share: 0 },
};

/** The page, the thread behind it, and the messages between them. */
export async function openDashboard({ port, page, worker, engine }: DashboardOptions): Promise<ServedPage> {
  let state: StateMessage = {
    version: 0,
    progress: STARTING,
    refusals: { token: 0, host: 0, origin: 0, method: 0, fault: 0 },
  };
  let thread: EngineThread | undefined;
  const events = createEventStream({ onWatched: (isWatched) => thread?.watch(isWatched) });
  const tell = (change: {
    readonly progress?: ShownProgress;
    readonly refusals?: Refusals;
    readonly version?: number;
  }) => {
    state = { ...state, ...change };
    events.send("state", JSON.stringify(state));
  };
  tell({});
  const start = (): EngineThread =>
    startEngineThread({
      worker,
      engine,
      onAdvance: ({ isChanged, progress, now }) => {
        if (now !== undefined) events.send("now", now);
        tell({ progress, version: state.version + (isChanged ? 1 : 0) });
      },
    });
  // The door first, then the thread: who waits for the address does not wait for it.
  const served = await serveDashboard({
    port,
    page: readPage(page),
    engine: {
      ask: (question) => {
        thread ??= start();
        return thread.ask(question);
      },
    },
    events,
    onRefusal: (refusals) => tell({ refusals }),
  });
  thread ??= start();
  return {
    ...served,
    close: async () => {
      await served.close();
      await thread?.close();
    },
  };
}
