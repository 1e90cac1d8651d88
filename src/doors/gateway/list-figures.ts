import type { MemoryRoom } from "./http/memory-room.ts";
import type { Slices } from "./http/slices.ts";
import type { RequestPreparer } from "./prepare-request.ts";
import type { Figure } from "./process-figures.ts";
import type { GatewayStore } from "./store/gateway-store.ts";

interface Measured {
  readonly preparer: RequestPreparer;
  readonly store: GatewayStore;
  readonly slices: Slices;
  room(): MemoryRoom;
}

/** What a gateway holds now. */
export function listFigures({ preparer, store, slices, room }: Measured): readonly Figure[] {
  return [
    {
      name: "plimsoll_gateway_memory_waiting",
      type: "gauge",
      help: "Bodies that wait for memory.",
      read: () => room().waiting(),
    },
    {
      name: "plimsoll_gateway_slices_waiting",
      type: "gauge",
      help: "Pieces of parsing and planning that wait for others.",
      read: slices.waiting,
    },
    {
      name: "plimsoll_gateway_sessions",
      type: "gauge",
      help: "Conversations that this instance remembers.",
      read: () => preparer.remembered().sessions,
    },
    {
      name: "plimsoll_gateway_session_bytes",
      type: "gauge",
      help: "Bytes of the bodies that it remembers them by.",
      read: () => preparer.remembered().bytes,
    },
    {
      name: "plimsoll_gateway_store_lost_total",
      type: "counter",
      help: "Facts and journal entries that could not be written.",
      read: () => store.lost(),
    },
  ];
}
