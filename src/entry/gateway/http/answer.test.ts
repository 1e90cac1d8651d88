/** If red: an error is written into an answer that has begun, or metrics cannot be read. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { guard, once, sendError, sendText } from "./answer.ts";

/** What a client gets from one step of a server. */
async function answerWith(step: (response: http.ServerResponse) => void): Promise<Response> {
  const server = http.createServer((_, response) => step(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe("an error", () => {
  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [403, "permission_error"],
    [413, "request_too_large"],
    [429, "rate_limit_error"],
    [502, "api_error"],
    [503, "overloaded_error"],
  ])("of status %i has the API's own shape", async (status, type) => {
    const answer = await answerWith((response) =>
      sendError(response, status, "why", { "retry-after": 7, "content-type": "x/y" }),
    );
    const body = JSON.stringify({ type: "error", error: { type, message: "plimsoll gateway: why" } });
    expect([answer.status, await answer.text()]).toEqual([status, body]);
    const headers = ["content-type", "content-length", "retry-after"].map((name) => answer.headers.get(name));
    expect(headers).toEqual(["application/json", String(body.length), "7"]);
  });

  it("is not sent behind an answer that has begun, nor to a client that has left", async () => {
    const answer = await answerWith((response) => {
      response.writeHead(200).flushHeaders();
      sendError(response, 502, "why");
      response.end("whole");
    });
    expect([answer.status, await answer.text()]).toEqual([200, "whole"]);
    const left = answerWith((response) => {
      response.destroy();
      sendError(response, 502, "why");
      expect(response.headersSent).toBe(false);
    });
    await expect(left).rejects.toThrow();
  });
});

it("a text is one that a scrape understands", async () => {
  const answer = await answerWith((response) => sendText(response, 503, "draining\n"));
  expect([answer.status, await answer.text()]).toEqual([503, "draining\n"]);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
});

it("a guarded step hands on what it was given, and its exception as an error", () => {
  const heard: unknown[] = [];
  const step = guard(
    (...given: readonly unknown[]) => {
      heard.push(given);
      if (given.length > 1) throw given[1];
    },
    (error) => void heard.push(error),
  );
  step("a");
  const fault = new TypeError("b");
  step("a", fault);
  step("a", "words");
  expect(heard).toEqual([["a"], ["a", fault], fault, ["a", "words"], new Error("words")]);
  expect(heard[2]).toBe(fault);
});

it("only the first call counts", () => {
  const heard: string[] = [];
  const say = once((words: string) => heard.push(words));
  for (const words of ["first", "second"]) say(words);
  expect(heard).toEqual(["first"]);
});
