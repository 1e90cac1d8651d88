/** Server-sent events to every open page. Who joins is told the last message of each name, then whatever comes. */
export interface EventStream {
  /** `data` is JSON without line feeds. */
  send(name: string, data: string): void;
  /** Returns how to leave. */
  join(write: (text: string) => void): () => void;
  close(): void;
}

export interface EventStreamOptions {
  /** Told when the first one joins and when the last one leaves. */
  onWatched(isWatched: boolean): void;
}

/** Keeps what lies between from taking silence for death. */
const HEARTBEAT_MS = 15_000;

export function createEventStream({ onWatched }: EventStreamOptions): EventStream {
  const listeners = new Set<(text: string) => void>();
  const last = new Map<string, string>();
  const beat = setInterval(() => {
    for (const write of listeners) write(": still here\n\n");
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    send(name, data) {
      const text = `event: ${name}\ndata: ${data}\n\n`;
      last.set(name, text);
      for (const write of listeners) write(text);
    },
    join(write) {
      listeners.add(write);
      if (listeners.size === 1) onWatched(true);
      for (const text of last.values()) write(text);
      return () => {
        if (listeners.delete(write) && listeners.size === 0) onWatched(false);
      };
    },
    close() {
      clearInterval(beat);
      listeners.clear();
    },
  };
}
