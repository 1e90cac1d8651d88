import type http from "node:http";

const IDLE_LOOK_MS = 100;

/** Takes nothing new, and waits for what is under way until the grace is over. */
export async function closeServer(server: http.Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections that are kept fall idle one after another.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
