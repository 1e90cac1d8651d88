import type { SessionEvent } from "../../core/event.ts";
import { hostOf } from "../../hosts/catalogue.ts";

/** Tells the events of the main conversation one after another, in constant memory, compacted ones included. */
export function tellTranscript(file: string, tell: (event: SessionEvent) => void): void {
  hostOf(file)
    .openTranscript(file)
    .read({
      onEntry: ({ uuid, isSidechain, events }) => {
        if (uuid !== "" && !isSidechain) for (const event of events) tell(event);
      },
    });
}
