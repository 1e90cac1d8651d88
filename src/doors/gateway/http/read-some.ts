import type { IncomingMessage } from "node:http";

/** The body as far as it comes within the limit; the rest stays in the stream. */
export async function readSome(answer: IncomingMessage, maxBytes: number): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < maxBytes) return;
      answer.pause();
      answer.off("data", take);
      resolve();
    };
    answer.on("data", take);
    answer.once("end", resolve);
    answer.once("close", resolve);
    answer.on("error", () => resolve());
  });
  return chunks;
}
