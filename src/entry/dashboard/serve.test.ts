/** If red: somebody without the token reads a person's sessions, or the page misses events. */
import { describe, expect, it } from "vitest";
import { type AskedRequest, createEventStream, judgeRequest } from "./serve.ts";

const ADDRESS = { port: 4100, token: "the-token" };
const asked: AskedRequest = { method: "GET", path: "/the-token/api/spend", host: "127.0.0.1:4100", origin: undefined };

describe("judgeRequest", () => {
  it("lets in who names the token, and gives the path behind it", () => {
    expect(judgeRequest(asked, ADDRESS)).toEqual({ path: "/api/spend" });
    expect(judgeRequest({ ...asked, path: "/the-token/" }, ADDRESS)).toEqual({ path: "/" });
    expect(judgeRequest({ ...asked, path: "/the-token" }, ADDRESS)).toEqual({ path: "" });
    expect(judgeRequest({ ...asked, host: "LOCALHOST:4100", origin: "http://localhost:4100" }, ADDRESS)).toEqual({
      path: "/api/spend",
    });
  });

  it.each<readonly [string, Partial<AskedRequest>, string]>([
    ["without a token", { path: "/api/spend" }, "token"],
    ["with a part of it", { path: "/the-toke/" }, "token"],
    ["with more than it", { path: "/the-tokens/" }, "token"],
    ["with it encoded", { path: "/the%2Dtoken/" }, "token"],
    ["without a host", { host: undefined }, "host"],
    ["under another name", { host: "rebound.example:4100" }, "host"],
    ["under another port", { host: "127.0.0.1:4101" }, "host"],
    ["without a port", { host: "127.0.0.1" }, "host"],
    ["from elsewhere", { origin: "http://rebound.example:4100" }, "origin"],
    ["from nowhere", { origin: "null" }, "origin"],
    ["from the same machine by its other name", { origin: "http://localhost:4100" }, "origin"],
    ["from the same machine encrypted", { origin: "https://127.0.0.1:4100" }, "origin"],
    ["in order to write", { method: "POST" }, "method"],
    ["in order to ask whether it may", { method: "OPTIONS" }, "method"],
  ])("refuses who comes %s", (_, change, why) => {
    expect(judgeRequest({ ...asked, ...change }, ADDRESS)).toEqual({ refused: why });
  });
});

function createHeard() {
  const watched: boolean[] = [];
  const stream = createEventStream((is) => watched.push(is));
  const listen = () => {
    const heard: string[] = [];
    return { heard, leave: stream.join((text) => heard.push(text)) };
  };
  return { stream, watched, listen };
}

describe("the stream of events", () => {
  it("tells who joins the last message of each name, then what comes", () => {
    const { stream, listen } = createHeard();
    stream.send("state", "1");
    stream.send("now", "a");
    stream.send("state", "2");
    const { heard } = listen();
    stream.send("now", "b");
    expect(heard).toEqual(["event: state\ndata: 2\n\n", "event: now\ndata: a\n\n", "event: now\ndata: b\n\n"]);
    stream.close();
  });

  it("says when somebody looks and when nobody does any more", () => {
    const { stream, watched, listen } = createHeard();
    const [first, second] = [listen(), listen()];
    first.leave();
    first.leave();
    expect(watched).toEqual([true]);
    second.leave();
    expect(watched).toEqual([true, false]);
    stream.send("state", "1");
    expect(second.heard).toEqual([]);
    stream.close();
  });
});
