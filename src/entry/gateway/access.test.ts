/** If red: somebody without a token uses the gateway, or a web page reaches it through the person's browser. */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createAccess, judgeCaller, parseUsers } from "./access.ts";

const TOKEN = "a-long-token-of-ada";

async function kindOf(admission: ReturnType<ReturnType<typeof createAccess>["admit"]>): Promise<string> {
  return (await admission).kind;
}

it("users who are replaced come and go at once, and who stays has used what they have used", async () => {
  const access = createAccess(parseUsers(`ada ${TOKEN} 2\neve the-token-of-eve-who-leaves`), () => 0);
  expect(await kindOf(access.admit(TOKEN))).toBe("admitted");
  access.replace(parseUsers(`ada ${TOKEN} 2\nbob the-token-of-bob-who-comes`));
  expect(await access.admit("the-token-of-eve-who-leaves")).toMatchObject({ kind: "refused", status: 401 });
  expect(await kindOf(access.admit("the-token-of-bob-who-comes"))).toBe("admitted");
  expect([await kindOf(access.admit(TOKEN)), await kindOf(access.admit(TOKEN))]).toEqual(["admitted", "refused"]);
});

it("says which limit was met, and never the token", async () => {
  const access = createAccess(parseUsers(`ada ${TOKEN} 1 1`), () => 0);
  const first = await access.admit(TOKEN);
  expect(await access.admit(TOKEN)).toMatchObject({
    status: 429,
    why: "you have reached your limit of concurrent requests (1)",
  });
  if (first.kind === "admitted") first.release();
  const second = await access.admit(TOKEN);
  expect(second).toMatchObject({
    status: 429,
    why: "you have reached your limit of requests per minute (1)",
    retryAfterSeconds: 60,
  });
  expect(JSON.stringify(second)).not.toContain(TOKEN);
});

it("nobody is refused by this instance for what another one has refused", async () => {
  let attempts = 0;
  const access = createAccess(parseUsers(`ada ${TOKEN} 2`), () => attempts * 1_000);
  access.share(async (asks) =>
    asks.map(({ person, places }) => {
      return { person, requests: attempts < 5 ? 0 : 1, places: places + 1, retryAfterSeconds: 1 };
    }),
  );
  for (; attempts < 5; attempts++) expect(await kindOf(access.admit(TOKEN))).toBe("refused");
  expect(await kindOf(access.admit(TOKEN))).toBe("admitted");
});

function judge(url: string, headers: Readonly<Record<string, string>>, isOpen = true): string | undefined {
  const incoming = new IncomingMessage(new Socket());
  incoming.url = url;
  Object.assign(incoming.headers, headers);
  return judgeCaller(incoming, isOpen)?.label;
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

  it.each([true, false])("is refused under two names at once, open: %s", (isOpen) => {
    const incoming = new IncomingMessage(new Socket());
    Object.assign(incoming, { url: "/v1/messages", rawHeaders: ["Host", "127.0.0.1", "host", "evil.example"] });
    incoming.headers.host = "127.0.0.1";
    expect(judgeCaller(incoming, isOpen)).toMatchObject({ status: 400, why: expect.stringContaining("Host") });
  });

  it("may have any name where everybody is asked for a token", () => {
    expect(judge("/v1/messages", { host: "gateway.example", origin: "https://app.example" }, false)).toBeUndefined();
  });
});
