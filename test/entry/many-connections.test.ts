/** If red: too many connections end a server, which then answers no more. */
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { atEnd, createFolder } from "../gateway/open-gateway.ts";
import { hearJson, startLimited } from "./limited-program.ts";

const DESCRIPTORS = 64;

/** More connections than the system lets a process have: those that were taken live, and so does the process. */
describe.each([
  ["dashboard", [], ""],
  ["gateway", ["--port", "0", "--upstream", "http://127.0.0.1:9", "--store", "store"], "/healthz"],
] as const)("plimsoll %s", (command, words, path) => {
  it("outlives more connections than it may hold, and answers when they are gone", async () => {
    const program = startLimited(`ulimit -n ${DESCRIPTORS}`, [command, "--json", ...words], createFolder());
    const { url } = await hearJson(program);
    const sockets = Array.from({ length: DESCRIPTORS * 4 }, () => {
      const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      return socket;
    });
    atEnd(async () => {
      for (const socket of sockets) socket.destroy();
    });
    await wait(500);
    expect(program.child.exitCode).toBeNull();
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => fetch(`${url}${path}`).then(({ status }) => status, String)).toBe(200);
  });
});
