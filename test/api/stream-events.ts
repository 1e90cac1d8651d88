import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { renderFrame, type StreamEvent } from "./render-events.ts";

/** How an answer leaves the scripted API. */
export interface Pace {
  /** Between a tool call and the next content block. The client runs the call meanwhile, as it does with the real API. */
  readonly pauseMs: number;
  /** Everything in one write: as no real API sends it. */
  readonly isWhole: boolean;
}

/** For programs that run no tools while they read. */
export const UNPACED: Pace = { pauseMs: 0, isWhole: false };

/** For clients: longer than a quick tool takes (a `Read` 10 ms, a `Bash` 60 to 90 ms), shorter than a slow one. */
export const STREAMED: Pace = { pauseMs: 150, isWhole: false };

/** The same for sessions of a hundred answers and more: longer than a `Read` takes. */
export const BRISK: Pace = { pauseMs: 20, isWhole: false };

export const IN_ONE_PIECE: Pace = { pauseMs: 0, isWhole: true };

/** Pieces that a block's frames are cut into, at any byte: within a frame, a number, a character. */
const PIECES_PER_BLOCK = 4;

/** Writes the events as the real API does: block by block, with pauses and pings between them. */
export async function streamEvents(
  response: ServerResponse,
  events: readonly StreamEvent[],
  { pauseMs, isWhole }: Pace,
): Promise<void> {
  if (isWhole) {
    response.write(events.map(renderFrame).join(""));
    return;
  }
  for (const [index, block] of splitBlocks(events).entries()) {
    if (index > 0 && pauseMs > 0) await pause(response, block.followsCall ? pauseMs : pauseMs / 10);
    for (const piece of cutAnywhere(Buffer.from(block.events.map(renderFrame).join("")))) {
      if (response.destroyed) return;
      response.write(piece);
      await nextTurn();
    }
  }
}

/** The real API sends pings whenever it has nothing else to send. */
async function pause(response: ServerResponse, ms: number): Promise<void> {
  await wait(ms / 2);
  if (!response.destroyed) response.write(renderFrame({ type: "ping" }));
  await wait(ms / 2);
}

interface BlockEvents {
  readonly events: readonly StreamEvent[];
  readonly followsCall: boolean;
}

function splitBlocks(events: readonly StreamEvent[]): readonly BlockEvents[] {
  const blocks: { events: StreamEvent[]; followsCall: boolean }[] = [{ events: [], followsCall: false }];
  let isCall = false;
  for (const event of events) {
    if (event.type === "content_block_start") isCall = JSON.stringify(event).includes('"tool_use"');
    blocks.at(-1)?.events.push(event);
    if (event.type === "content_block_stop") blocks.push({ events: [], followsCall: isCall });
  }
  return blocks.filter(({ events: own }) => own.length > 0);
}

/** Cut by the bytes themselves, so that a scenario is cut alike in every run. */
function cutAnywhere(bytes: Buffer): readonly Buffer[] {
  const sum = bytes.reduce((total, byte) => (total * 31 + byte) % 65_521, 7);
  const at = Array.from(
    { length: PIECES_PER_BLOCK - 1 },
    (_, piece) => (sum * (piece + 3) * 7_919) % Math.max(1, bytes.length),
  );
  const ends = [...at.toSorted((left, right) => left - right), bytes.length];
  return ends
    .map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
    .filter((piece) => piece.length > 0);
}
