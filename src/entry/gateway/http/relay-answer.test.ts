/** If red: an answer reaches the client changed or without its end, or a failure is told as another one. */
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../metrics.ts";
import { awaitAnswer, countFailure, failOutgoing, relayAnswer, upstreamErrors } from "./relay-answer.ts";

async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => sockets.add(socket.on("error", () => undefined)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A server that writes these bytes to whoever asks, piece by piece, and then closes. */
const speak = (...pieces: readonly string[]): net.Server =>
  net.createServer((socket) =>
    socket.once("data", async () => {
      for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
      socket.end();
    }),
  );

const get = (port: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => http.get(`http://127.0.0.1:${port}`, { agent: false }, resolve).on("error", reject));

/** Every byte that a client gets of what `answer` does with its request, and how its connection ended. */
async function hear(
  answer: (response: ServerResponse) => void,
): Promise<{ readonly text: string; readonly end: string }> {
  const server = http.createServer((_, response) => answer(response));
  const port = await listen(server);
  return new Promise((resolve) => {
    const heard: Buffer[] = [];
    let end = "closed";
    const socket = net.connect(port, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    );
    socket.on("data", (bytes) => heard.push(bytes));
    socket.on("error", () => {
      end = "reset";
    });
    socket.on("close", () => resolve({ text: String(Buffer.concat(heard)), end }));
  });
}

const HEAD = "HTTP/1.1 203 Fine Planks\r\nX-One: 1\r\nx-two: 2\r\nKeep-Alive: timeout=5\r\nContent-Length: 8\r\n\r\n";

describe("an answer that is passed on", () => {
  it("keeps its status, its words, its headers for the client, and its body, of which a part may be read already", async () => {
    const answer = await get(await listen(speak(HEAD, "abcd", "efgh")));
    const watched: Buffer[] = [];
    const done: string[] = [];
    const { text } = await hear((response) =>
      relayAnswer(answer, response, {
        watch: (piece) => watched.push(piece),
        done: () => done.push(String(Buffer.concat(watched))),
      }),
    );
    const [head = "", body] = text.split("\r\n\r\n");
    expect([head.split("\r\n")[0], body]).toEqual(["HTTP/1.1 203 Fine Planks", "abcdefgh"]);
    expect(head).toMatch(/\r\nX-One: 1\r\nx-two: 2\r\nContent-Length: 8\r\n/);
    expect(head).not.toMatch(/Keep-Alive: timeout=5|Date:/);
    await expect.poll(() => done).toEqual(["abcdefgh"]);

    const begun = await get(await listen(speak(HEAD.replace("8", "4"), "efgh")));
    expect((await hear((response) => relayAnswer(begun, response, { begun: [Buffer.from("ab")] }))).text).toMatch(
      /abefgh$/,
    );
  });

  it("declares again a coding of the transfer", async () => {
    const answer = await get(
      await listen(speak("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")),
    );
    expect((await hear((response) => relayAnswer(answer, response))).text).toMatch(
      /\r\nTransfer-Encoding: gzip, chunked\r\n/,
    );
  });

  it("breaks off where the upstream's did, and is done once", async () => {
    const server = net.createServer((socket) => socket.once("data", () => socket.write(`${HEAD}abcd`)));
    const ended = new Promise<() => void>((resolve) =>
      server.on("connection", (socket: net.Socket) => resolve(() => socket.end())),
    );
    const answer = await get(await listen(server));
    const breakOff = await ended;
    let done = 0;
    const { text, end } = await hear((response) =>
      relayAnswer(answer, response, { watch: breakOff, done: () => done++ }),
    );
    expect([text.endsWith("\r\n\r\nabcd"), end]).toEqual([true, "closed"]);
    await expect.poll(() => done).toBe(1);
  });

  it("breaks off, too, where the upstream's had before it was passed on", async () => {
    const answer = await get(await listen(speak(HEAD, "abcd")));
    answer.on("error", () => undefined).destroy();
    await expect.poll(() => answer.closed).toBe(true);
    expect((await hear((response) => relayAnswer(answer, response))).end).toBe("closed");
  });

  it("is an error of ours where no server may send it", async () => {
    const answer = await get(await listen(speak("HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n")));
    const { text } = await hear((response) => relayAnswer(answer, response));
    expect(text).toMatch(
      /^HTTP\/1\.1 502 Bad Gateway\r\n[\s\S]*plimsoll gateway: the upstream's answer cannot be passed on/,
    );
    expect(answer.destroyed).toBe(true);
  });
});

describe("the beginning of an answer", () => {
  interface Outcome {
    readonly events: string[];
    readonly result: Promise<string>;
  }

  /** What becomes of a request to each of these ports in turn, over one kept connection. */
  function ask(response: ServerResponse, open: (isFresh: boolean) => ClientRequest, isRepeatable = true): Outcome {
    const events: string[] = [];
    const result = awaitAnswer(response, {
      isRepeatable,
      open(isFresh) {
        events.push(`open ${isFresh}`);
        return open(isFresh);
      },
      aborted: () => events.push("aborted"),
      brokenOff: (error) => events.push(`broken off: ${upstreamErrors.has(error)}`),
    }).then(
      (answer) => {
        answer.on("error", () => undefined).resume();
        return `answer ${answer.statusCode}`;
      },
      (error: Error) => `${error.message} (${upstreamErrors.has(error) ? "upstream" : "ours"})`,
    );
    return { events, result };
  }

  async function withResponse<Result>(
    act: (response: ServerResponse, leave: () => void) => Promise<Result>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const server = http.createServer((_, response) => {
        void act(response, () => socket.destroy())
          .then(resolve, reject)
          .finally(() => response.end());
      });
      let socket: net.Socket;
      void listen(server).then((port) => {
        socket = net.connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        socket.on("error", () => undefined).resume();
      });
    });
  }

  /** Answers the first request on a connection, and resets it with the second. */
  const openStale = (): net.Server =>
    net.createServer((socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        socket.once("data", () => socket.resetAndDestroy());
      }),
    );

  it.each([
    [
      "is asked for once more over a new connection, where a kept one was dead",
      true,
      ["open false", "open true"],
      "answer 200",
    ],
    [
      "is not asked for twice where the request may not be repeated",
      false,
      ["open false"],
      "read ECONNRESET (upstream)",
    ],
  ])("%s", async (_, isRepeatable, events, outcome) => {
    const port = await listen(openStale());
    const agent = new http.Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const open = (isFresh: boolean): ClientRequest =>
      http.get(`http://127.0.0.1:${port}`, { agent: isFresh ? false : agent });
    await withResponse(async (response) => {
      expect(await ask(response, open).result).toBe("answer 200");
      await expect.poll(() => Object.values(agent.freeSockets).flat()).toHaveLength(1);
      const again = ask(response, open, isRepeatable);
      expect(await again.result).toBe(outcome);
      expect(again.events).toEqual(events);
    });
  });

  it("does not come where a new connection is reset", async () => {
    const port = await listen(net.createServer((socket) => socket.once("data", () => socket.resetAndDestroy())));
    await withResponse(async (response) => {
      const { events, result } = ask(response, () => http.get(`http://127.0.0.1:${port}`, { agent: false }));
      expect(await result).toMatch(/ECONNRESET|socket hang up/);
      expect(events).toEqual(["open false"]);
    });
  });

  it("is given up where the client leaves, and is not asked for where it has left", async () => {
    const port = await listen(net.createServer());
    await withResponse(async (response, leave) => {
      const open = (): ClientRequest => http.get(`http://127.0.0.1:${port}`, { agent: false });
      const { events, result } = ask(response, open);
      leave();
      expect(await result).toMatch(/hang up|aborted/);
      expect(events).toEqual(["open false", "aborted"]);
      const late = ask(response, open);
      expect([await late.result, late.events]).toEqual(["the client has disconnected (ours)", []]);
    });
  });
});

describe("a failure", () => {
  const failure = (code: string, message: string, isUpstream = true): Error => {
    const error = Object.assign(new Error(message), code === "" ? {} : { code });
    if (isUpstream) upstreamErrors.add(error);
    return error;
  };

  it.each<[string, Error, RegExp]>([
    [
      "a refused connection",
      failure("ECONNREFUSED", "x"),
      /^HTTP\/1\.1 502 .*the upstream could not be reached \(ECONNREFUSED\)/s,
    ],
    ["a connection that timed out", failure("ETIMEDOUT", "x"), /^HTTP\/1\.1 504 .*could not be reached \(ETIMEDOUT\)/s],
    [
      "a silent upstream",
      failure("", "the upstream was silent for too long"),
      /^HTTP\/1\.1 504 .*\(the upstream was silent for too long\)/s,
    ],
    [
      "a fault of ours",
      failure("ECONNREFUSED", "secret", false),
      /^HTTP\/1\.1 502 .*"plimsoll gateway: the request could not be handled"/s,
    ],
  ])("is told in the API's words: %s", async (_, error, text) => {
    expect((await hear((response) => failOutgoing(response, error))).text).toMatch(text);
  });

  it.each(["ECONNRESET", "EPIPE"])("of the connection is one here, too: %s", async (code) => {
    expect(await hear((response) => failOutgoing(response, failure(code, "x")))).toEqual({ text: "", end: "reset" });
  });

  it("after the beginning of an answer ends it there", async () => {
    const { text, end } = await hear((response) => {
      response.writeHead(200, { "content-length": 9 }).write("abcd");
      failOutgoing(response, failure("ECONNREFUSED", "x"));
    });
    expect([text.endsWith("abcd"), end]).toEqual([true, "closed"]);
  });

  it("is counted as the upstream's or as ours", () => {
    const figures = { slicesWaiting: 0, memoryWaiting: 0, sessions: 0, bytes: 0 };
    const metrics = createMetrics(
      () => figures,
      () => 0,
    );
    countFailure(failure("", "x"), metrics);
    countFailure(failure("", "x", false), metrics);
    countFailure(failure("", "y", false), metrics);
    expect(metrics.render()).toMatch(/upstream_errors_total 1\n/);
    expect(metrics.render()).toMatch(/incidents_total\{cause="exception"\} 2\n/);
  });
});
