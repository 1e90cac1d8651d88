import type { Hook } from "../hook.ts";
import { drawStatus, paintStatus } from "../status/draw-status.ts";

/** One line for the status bar; `statusline.cjs` draws the same without loading anything else. */
export const statusline: Hook = (input, context) => ({ text: paintStatus(drawStatus(input, context), context) });
