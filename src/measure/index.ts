/** How full a session's context is: from its recording, or event by event as your loop runs. */
export type { SessionEvent } from "../core/event.ts";
export { estimateByToolWeights } from "./compat.ts";
export { assessHealth, type Health } from "./health.ts";
export { classifyMeasured } from "./level.ts";
export { takeReading } from "./reading.ts";
export { describeSummarySizes } from "./summary-sizes.ts";
export { listRequests } from "./telemetry.ts";
