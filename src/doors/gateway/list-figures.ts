import type { Figure } from "./process-figures.ts";
import type { Reader } from "./reader.ts";

interface Measured {
  reader(): Pick<Reader, "figures">;
  /** Facts and journal entries that could not be written. */
  lost(): number;
}

/** What a gateway holds now. */
export function listFigures({ reader, lost }: Measured): readonly Figure[] {
  return [
    {
      name: "plimsoll_gateway_memory_waiting",
      type: "gauge",
      help: "Bodies that wait for memory.",
      read: () => reader().figures().memoryWaiting,
    },
    {
      name: "plimsoll_gateway_slices_waiting",
      type: "gauge",
      help: "Pieces of parsing and planning that wait for others.",
      read: () => reader().figures().slicesWaiting,
    },
    {
      name: "plimsoll_gateway_sessions",
      type: "gauge",
      help: "Conversations that this instance remembers.",
      read: () => reader().figures().sessions,
    },
    {
      name: "plimsoll_gateway_session_bytes",
      type: "gauge",
      help: "Bytes of the bodies that it remembers them by.",
      read: () => reader().figures().bytes,
    },
    {
      name: "plimsoll_gateway_store_lost_total",
      type: "counter",
      help: "Facts and journal entries that could not be written.",
      read: lost,
    },
  ];
}
