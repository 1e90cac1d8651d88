import { type Context, createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { NowMessage, ShownProgress, StateMessage } from "../wire.ts";

/** What the server has said; `undefined` before the first message. */
export interface Heard {
  readonly isOpen: boolean;
  readonly state: StateMessage | undefined;
  readonly now: NowMessage | undefined;
}

const NOT_YET: Heard = { isOpen: false, state: undefined, now: undefined };

/** Every view reads it from here. */
export const Connected: Context<Heard> = createContext(NOT_YET);

/** One event stream for the whole page; the browser reconnects by itself. */
export function useConnection(): Heard {
  const [connection, change] = useState(NOT_YET);
  useEffect(() => {
    const source = new EventSource("events");
    const set = (news: Partial<Heard>): void => change((before) => ({ ...before, ...news }));
    source.onopen = () => set({ isOpen: true });
    source.onerror = () => set({ isOpen: false });
    source.addEventListener("state", (event) => {
      const state: StateMessage = JSON.parse(event.data);
      set({ isOpen: true, state });
    });
    source.addEventListener("now", (event) => {
      const now: NowMessage = JSON.parse(event.data);
      set({ now });
    });
    return () => source.close();
  }, []);
  return connection;
}

export function useProgress(): ShownProgress | undefined {
  return useContext(Connected).state?.progress;
}

/** While files are still being read, an empty list means nothing yet. */
export function useIsReading(): boolean {
  return (useProgress()?.phase ?? "accounts") === "accounts";
}
