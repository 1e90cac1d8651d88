/** If red: a crowd of conversations keeps the gateway from answering anybody else. */
import http from "node:http";
import { expect, it } from "vitest";
import { renderBody, toolLoop } from "../gateway/conversation.ts";
import { createFolder } from "../gateway/open-gateway.ts";
import { startGatewayProgram } from "../gateway/program.ts";
import { openRawApi } from "../gateway/raw-api.ts";

const CROWD = 40;
const ROUNDS = 400;

/** A conversation that nobody here has seen: all of it has to be parsed. About 3 MB. */
function renderNew(name: number): Buffer {
  const messages = toolLoop(ROUNDS, 150);
  return Buffer.from(renderBody(messages, { metadata: { user_id: `user_x_account__session_${name}` } }));
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function ask(url: string, body?: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const method = body ? "POST" : "GET";
    const asked = http.request(url, { method, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (bytes) => {
        text += String(bytes);
      });
      answer.once("close", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.once("error", () => resolve({ status: 0, text: "" }));
    asked.end(body);
  });
}

it("a gateway answers others between the conversations of a crowd, and everybody in the crowd", async () => {
  const api = await openRawApi();
  const { url } = await startGatewayProgram(["--upstream", api.url, "--store", createFolder()]);
  const bodies = Array.from({ length: CROWD }, (_, name) => renderNew(name));
  const crowd = Promise.all(bodies.map((body) => ask(`${url}/v1/messages`, body)));
  let isOver = false;
  void crowd.then(() => {
    isOver = true;
  });
  const waiting = new Set<string>();
  while (!isOver) {
    const { status, text } = await ask(`${url}/metrics`);
    expect(status).toBe(200);
    waiting.add(/_slices_waiting (\d+)/.exec(text)?.[1] ?? "");
  }
  for (const { status } of await crowd) expect([200, 503]).toContain(status);
  // Answered again and again while others wait, and not once before the crowd and once behind it.
  expect(waiting.size).toBeGreaterThan(CROWD / 8);
});
