import { useEffect, useState } from "preact/hooks";
import type { NowMessage, StateMessage } from "../wire.ts";

/** What the server has pushed so far. */
export interface Connection {
  readonly isOpen: boolean;
  readonly state: StateMessage | undefined;
  readonly now: NowMessage | undefined;
}

/** One stream of events for the whole page; the browser opens it again by itself when it breaks. */
export function useConnection(): Connection {
  const [connection, change] = useState<Connection>({ isOpen: false, state: undefined, now: undefined });
  useEffect(() => {
    const source = new EventSource("events");
    const set = (news: Partial<Connection>): void => change((before) => ({ ...before, ...news }));
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
