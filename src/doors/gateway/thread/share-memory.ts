import type { RoomOptions } from "../http/memory-room.ts";

/** What this thread uses, told to the other one, and what that one uses beside it: memory is one for both, each heap its own. */
export function shareMemory(own: RoomOptions["used"], used: Float64Array, place: number): RoomOptions["used"] {
  return () => {
    const { heapBytes, outsideBytes } = own();
    used[place] = heapBytes + outsideBytes;
    return { heapBytes, outsideBytes: outsideBytes + (used[1 - place] ?? 0) };
  };
}
