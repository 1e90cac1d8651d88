/** If red: large bodies that cross are mixed up. */
import { createHash } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { atEnd, openGateway } from "./open-gateway.ts";

const ROUNDS = 6;
const LANES = 8;
const OVERFLOW = JSON.stringify({
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
});

/** Bodies whose memory is used again for others, by an upstream that reads some late, begins to answer some early and refuses some. */
describe("large bodies that cross", () => {
  it("arrive each as it was sent, whatever becomes of its neighbours", async () => {
    const api = await openHashingApi();
    const gateway = await openGateway(api.url);
    const sent = new Map<string, string>();
    let aborted = 0;
    let expected = 0;
    const run = async (lane: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++) {
        const name = `${round}-${lane}`;
        const body = renderLarge(name, 5_000_000 + ((round * 7 + lane * 13) % 17) * 100_000);
        sent.set(name, hash(body));
        const isAborted = (round + lane) % 5 === 0;
        if (isAborted) aborted++;
        else expected++;
        const behaviour = BEHAVIOURS[lane % BEHAVIOURS.length] ?? "plain";
        const status = await send(gateway.url, body, { name, behaviour, isAborted });
        if (!isAborted) expect([200, 400, 413]).toContain(status);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => run(lane)));
    expect(aborted).toBeGreaterThan(5);
    expect(api.arrived.length).toBeGreaterThanOrEqual(expected);
    for (const { name, sha256 } of api.arrived) expect(sha256, name).toBe(sent.get(name));
  });
});

const BEHAVIOURS = ["plain", "late", "early", "overflow"] as const;

/** The person's own words: there is nothing to take out of them. More than a socket takes at once. */
function renderLarge(name: string, characters: number): Buffer {
  const content = `${name} `.repeat(Math.ceil(characters / (name.length + 1)));
  const messages = [
    { role: "user", content: "Survey." },
    { role: "assistant", content: "Aye." },
    { role: "user", content },
  ];
  return Buffer.from(JSON.stringify({ model: "claude-sonnet-4-6", messages, tools: [{ name: "Bash" }] }));
}

function hash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

interface Sending {
  readonly name: string;
  readonly behaviour: string;
  readonly isAborted: boolean;
}

const agent = new http.Agent({ keepAlive: true });

function send(url: string, body: Buffer, { name, behaviour, isAborted }: Sending): Promise<number> {
  return new Promise((resolve) => {
    // Three conversations that go back to their beginning each time: each remembers its last body only, and lets the others go.
    const session = { "x-claude-code-session-id": String(body.length % 3) };
    const headers = { "content-length": body.length, "x-name": name, "x-behaviour": behaviour, ...session };
    const asked = http.request(`${url}/v1/messages`, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
      answer.once("error", () => resolve(0));
      if (isAborted) asked.destroy();
    });
    asked.on("error", () => resolve(0));
    asked.once("close", () => resolve(0));
    asked.end(body);
    // Some go while the gateway reads, some while it plans or waits for an answer.
    if (isAborted && body.length % 2 === 0) setTimeout(() => asked.destroy(), body.length % 9);
  });
}

async function openHashingApi() {
  const arrived: { readonly name: string; readonly sha256: string }[] = [];
  const server = http.createServer((incoming, response) => {
    const { "x-name": name = "", "x-behaviour": behaviour } = incoming.headers;
    const digest = createHash("sha256");
    const answer = (): void => {
      if (behaviour === "overflow") response.writeHead(400, { "content-type": "application/json" }).end(OVERFLOW);
      else if (behaviour === "early") response.end("}");
      else response.writeHead(200, { "content-type": "application/json" }).end('{"usage":{"input_tokens":9}}');
    };
    incoming.on("data", (chunk: Buffer) => digest.update(chunk));
    incoming.on("error", () => undefined);
    incoming.once("end", () => {
      if (!incoming.complete) return;
      arrived.push({ name: String(name), sha256: digest.digest("hex") });
      answer();
    });
    if (behaviour === "early") response.writeHead(200, { "content-type": "application/json" }).write("{");
    if (behaviour !== "late" && behaviour !== "early") return;
    incoming.pause();
    setTimeout(() => incoming.resume(), 30);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, arrived };
}
