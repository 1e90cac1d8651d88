import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { judgeCaller } from "./judge-caller.ts";

function judge(url: string, headers: Readonly<Record<string, string>>, isOpen = true): string | undefined {
  const incoming = new IncomingMessage(new Socket());
  incoming.url = url;
  Object.assign(incoming.headers, headers);
  return judgeCaller(incoming, isOpen)?.why;
}

describe("who asks a gateway on loopback", () => {
  it.each(["127.0.0.1:8787", "localhost:8787", "LOCALHOST", "[::1]:8787", "127.9.9.9"])("is served as %s", (host) => {
    expect(judge("/v1/messages", { host })).toBeUndefined();
    expect(judge("/v1/messages", { host, origin: "http://localhost:3000" })).toBeUndefined();
  });

  it.each(["evil.example:8787", "127.0.0.1.evil.example", "evil.example:127", "", "[::2]", "0.0.0.0"])(
    "is refused under the name %j",
    (host) => {
      expect(judge("/v1/messages", { host })).toBe("host");
    },
  );

  it.each(["https://evil.example", "null", "http://127.0.0.1.evil.example", "file://"])(
    "is refused for a page from %s",
    (origin) => {
      expect(judge("/v1/messages", { host: "127.0.0.1:1", origin })).toBe("origin");
    },
  );

  it.each(["http://evil.example/", "evil.example:443", "https://127.0.0.1/v1/messages", ""])(
    "asks for a path, and not for %j, with tokens too",
    (target) => {
      for (const isOpen of [true, false]) expect(judge(target, { host: "127.0.0.1" }, isOpen)).toBe("target");
    },
  );

  it("may have any name where everybody is asked for a token", () => {
    expect(judge("/v1/messages", { host: "gateway.example", origin: "https://app.example" }, false)).toBeUndefined();
  });
});
