import { describe, expect, it } from "vitest";
import { createEventStream } from "./event-stream.ts";

function createHeard() {
  const watched: boolean[] = [];
  const stream = createEventStream({ onWatched: (is) => watched.push(is) });
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
