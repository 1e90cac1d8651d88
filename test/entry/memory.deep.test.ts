/** If red: many large bodies at once end the gateway for lack of memory. */
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { person, post, renderBody } from "../gateway/conversation.ts";
import { createFolder } from "../gateway/open-gateway.ts";
import { openRawApi, sendOk } from "../gateway/raw-api.ts";
import { hearJson, startLimited } from "./limited-program.ts";

const LARGE_BYTES = 60_000_000;
const ATTACKERS = 48;

/** Valid, and almost nothing once it is compressed. */
const BODIES: Readonly<Record<string, string>> = {
  "one long text": `{"model":"m","messages":[{"role":"user","content":"${"a".repeat(LARGE_BYTES)}"}]}`,
  "millions of empty blocks": `{"model":"m","messages":[{"role":"user","content":[${"{},".repeat(LARGE_BYTES / 3)}{}]}]}`,
  "millions of small messages": `{"model":"m","messages":[${'{"role":"user","content":"a"},'.repeat(LARGE_BYTES / 30)}{"role":"user","content":"a"}]}`,
};

function attack(url: string, body: Buffer, headers: http.OutgoingHttpHeaders): Promise<number> {
  return new Promise((resolve) => {
    const asked = http.request(`${url}/v1/messages`, { method: "POST", agent: false, headers }, (answer) => {
      answer.resume();
      answer.once("close", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", () => resolve(0));
    asked.end(body);
  });
}

/** An upstream that takes its time, so that everything is under way at once. */
async function openStage(words: readonly string[]) {
  const api = await openRawApi((request, response) => {
    const isPlain = request.headers["content-encoding"] === undefined;
    setTimeout(() => sendOk(request, response), isPlain && request.body.length < 10_000 ? 0 : 1_000);
  });
  const gateway = ["gateway", "--json", "--port", "0", "--upstream", api.url, "--store", createFolder(), ...words];
  const program = startLimited("true", gateway, createFolder(), ["--max-old-space-size=512"]);
  return { program, api, url: (await hearJson(program)).url };
}

describe("a gateway with a heap of 512 MB", () => {
  it.each(Object.entries(BODIES))(
    "outlives 48 compressed bodies of %s at once, and serves others meanwhile",
    async (_name, text) => {
      const { program, url } = await openStage(["--memory-mb", "1000"]);
      const body = zlib.gzipSync(text);
      expect(body.length).toBeLessThan(200_000);
      const attacks = Array.from({ length: ATTACKERS }, () => attack(url, body, { "content-encoding": "gzip" }));
      const served: number[] = [];
      const over = Promise.all(attacks).then(() => "over");
      while ((await Promise.race([over, wait(200)])) !== "over")
        served.push(
          await post(url, renderBody([person("Aye?")])).then(
            ({ status }) => status,
            () => 0,
          ),
        );
      served.push((await post(url, renderBody([person("Still there?")]))).status);
      expect(program.child.exitCode, program.heard.remarks.slice(-500)).toBeNull();
      expect(new Set(served)).toEqual(new Set([200]));
      for (const status of await Promise.all(attacks)) expect([200, 503]).toContain(status);
    },
  );

  it("outlives more large bodies at once than it can hold, refuses the rest with a time to come again, and serves on", async () => {
    const { program, url } = await openStage(["--memory-mb", "400"]);
    const body = Buffer.from(BODIES["one long text"] ?? "");
    const statuses = await Promise.all(Array.from({ length: 16 }, () => attack(url, body, {})));
    expect(program.child.exitCode, program.heard.remarks.slice(-500)).toBeNull();
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 503, 0]).toContain(status);
    expect((await post(url, renderBody([person("Still there?")]))).status).toBe(200);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/plimsoll_gateway_(?:refused|unread)_total\{why="memory"\} [1-9]/);
  });
});
