import type uPlot from "uplot";
import type { Mark } from "../wire.ts";
import { readColour } from "./layer-colours.ts";

/** Room above the plot for the signs of what happened. */
export const MARKS_HEIGHT = 38;
const SIGN_HEIGHT = 13;

/** The load line across the plot with its ring, and a sign above every request that something happened before. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], lineTokens: number): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio || 1;
  ctx.save();
  const above = new Map<number, number>();
  for (const { request, kind } of marks) {
    const x = plot.valToPos(request, "x", true);
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue;
    if (kind === "compaction") drawBoundary(ctx, { x, top: bbox.top, bottom: bbox.top + bbox.height, ratio });
    const others = above.get(request) ?? 0;
    above.set(request, others + 1);
    drawSign(ctx, kind, { x, y: bbox.top - (9 + others * SIGN_HEIGHT) * ratio, size: 4.5 * ratio });
  }
  drawLoadLine(plot, lineTokens, ratio);
  ctx.restore();
}

function drawLoadLine(plot: uPlot, lineTokens: number, ratio: number): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(lineTokens, "y", true);
  if (y < bbox.top - 1) return;
  ctx.strokeStyle = readColour("--accent");
  ctx.lineWidth = 2 * ratio;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(bbox.left + bbox.width - 22 * ratio, y, 8 * ratio, 0, Math.PI * 2);
  ctx.stroke();
}

interface Boundary {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  readonly ratio: number;
}

function drawBoundary(ctx: CanvasRenderingContext2D, { x, top, bottom, ratio }: Boundary): void {
  ctx.strokeStyle = readColour("--ink");
  ctx.lineWidth = ratio;
  ctx.setLineDash([4 * ratio, 4 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, bottom);
  ctx.stroke();
  ctx.setLineDash([]);
}

interface Sign {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** The same shapes as in `mark-sign.tsx`. */
function drawSign(ctx: CanvasRenderingContext2D, kind: Mark["kind"], { x, y, size }: Sign): void {
  ctx.fillStyle = readColour("--ink");
  ctx.strokeStyle = readColour(kind === "miss" ? "--accent" : "--ink");
  ctx.lineWidth = size / 2.4;
  ctx.beginPath();
  if (kind === "fold") {
    ctx.moveTo(x - size, y - size);
    ctx.lineTo(x + size, y - size);
    ctx.lineTo(x, y + size);
    ctx.closePath();
    ctx.fill();
  } else if (kind === "miss") {
    ctx.moveTo(x - size, y - size);
    ctx.lineTo(x + size, y + size);
    ctx.moveTo(x + size, y - size);
    ctx.lineTo(x - size, y + size);
    ctx.stroke();
  } else if (kind === "clear") {
    ctx.arc(x, y, size, 0, Math.PI * 2);
    ctx.stroke();
  } else ctx.fillRect(x - size, y - size, size * 2, size * 2);
}
