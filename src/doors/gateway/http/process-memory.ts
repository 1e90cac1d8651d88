import os from "node:os";
import v8 from "node:v8";
import type { RoomOptions } from "./memory-room.ts";
import { findCollector } from "./sweep.ts";

/** Of what there is, so much may be used before bodies wait: the rest is for what nobody announces. */
const SHARE = 0.7;
/** Bodies lie outside of the heap, and weigh less there than what is made of them in it. */
const TOTAL_PER_HEAP = 2;

/** This process as a room for bodies. `memoryBytes` is what it may use in all: unless told what its container, or the machine, has. */
export function measureProcess(memoryBytes?: number): Pick<RoomOptions, "limits" | "used" | "collect"> {
  const { heap_size_limit: heapLimit } = v8.getHeapStatistics();
  const collect = findCollector();
  const given = memoryBytes ?? Math.min(findMemory(), heapLimit * TOTAL_PER_HEAP);
  return {
    limits: { heapBytes: SHARE * Math.min(heapLimit, given), totalBytes: SHARE * given },
    used: () => {
      const { used_heap_size: heapBytes, external_memory: outsideBytes } = v8.getHeapStatistics();
      return { heapBytes, outsideBytes };
    },
    // The first time tells that a buffer is no longer needed, the second one gives its memory back.
    collect: () => {
      collect?.();
      collect?.();
    },
  };
}

/** Without a container's limit some systems tell none, and some one beyond all memory. */
function findMemory(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
}
