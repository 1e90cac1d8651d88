import { execFileSync } from "node:child_process";

/** What starting bare node takes on an idle machine of this kind; where it takes longer, others are at work. */
const IDLE_NODE_MS = 60;

/** By how much the machine is slower just now than one with nothing else to do. */
export function measureSlowness(): number {
  const beganMs = performance.now();
  execFileSync(process.execPath, ["-e", "0"]);
  return Math.max(1, (performance.now() - beganMs) / IDLE_NODE_MS);
}
