/** If red: somebody without a token uses the gateway, or a web page reaches it through the person's browser. */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createAccess, judgeCaller, openAccess, parseUsers } from "./access.ts";
import type { UseAsk } from "./limits/fleet-limits.ts";

const TOKEN = "a-long-token-of-ada";

describe("a list of users", () => {
  const own = (limits: string) => parseUsers(`ada ${TOKEN}${limits}`).map(({ digest: _, ...user }) => user);

  it("gives each the limits in its line, or those of everybody", () => {
    const [ada] = own("");
    expect(ada).toEqual({ name: "ada", requestsPerMinute: 600, concurrent: 64 });
    expect(own(" 7")).toEqual([{ ...ada, requestsPerMinute: 7 }]);
    expect(own(" 7 1")).toEqual([{ ...ada, requestsPerMinute: 7, concurrent: 1 }]);
    const text = `# names\n\n  ada ${TOKEN}  \nb@c.d_e-f ${"t".repeat(16)}\n`;
    expect(parseUsers(text).map(({ name }) => name)).toEqual(["ada", "b@c.d_e-f"]);
  });

  it.each([
    ["a limit too many", `ada ${TOKEN} 1 2 3`],
    ["a limit of nothing", `ada ${TOKEN} 0`],
    ["a limit below nothing", `ada ${TOKEN} 5 -1`],
    ["half a request", `ada ${TOKEN} 1.5`],
    ["a limit in words", `ada ${TOKEN} many`],
    ["a name that would break a label", `a"b ${TOKEN}`],
    ["a name too long", `${"a".repeat(65)} ${TOKEN}`],
    ["a token that can be guessed", `ada ${"t".repeat(15)}`],
    ["no token", "ada"],
    ["a user twice", `ada ${TOKEN}\nada the-other-token-of-ada`],
    ["nobody", "# names\n\n"],
  ])("is refused with %s", (_fault, text) => {
    expect(() => parseUsers(text)).toThrow(TypeError);
  });
});

describe("who is let in", () => {
  it("is everybody where no token is needed, and nobody without one where it is", async () => {
    expect(await openAccess.admit(undefined)).toEqual({ kind: "admitted", user: "", release: expect.any(Function) });
    const access = createAccess(parseUsers(`ada ${TOKEN}`), () => 0);
    expect(await access.admit(`bearer ${TOKEN}`)).toMatchObject({ kind: "admitted", user: "ada" });
    const why = "this gateway requires a token in the header x-plimsoll-token";
    for (const token of [undefined, "", "Bearer ", TOKEN.slice(1)])
      expect(await access.admit(token)).toEqual({ kind: "refused", status: 401, label: "401", why });
  });

  it("has what was not used given back to all instances", async () => {
    const access = createAccess(parseUsers(`ada ${TOKEN}`), () => 0);
    const asked: UseAsk[] = [];
    const limits = access.share(async (asks) => {
      asked.push(...asks);
      return asks.map(({ person }) => ({ person, requests: 9, places: 1, retryAfterSeconds: 1 }));
    });
    const admission = await access.admit(TOKEN);
    if (admission.kind === "admitted") admission.release();
    for (let second = 0; second < 2; second++) limits.tidy();
    expect(asked.map(({ unused, places }) => ({ unused, places }))).toEqual([
      { unused: 0, places: 0 },
      { unused: 8, places: 0 },
    ]);
  });
});

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
  return refusal(url, headers, isOpen)?.label;
}

function refusal(url: string, headers: Readonly<Record<string, string>>, isOpen = true) {
  const incoming = new IncomingMessage(new Socket());
  incoming.url = url;
  incoming.rawHeaders = Object.entries(headers).flat();
  Object.assign(incoming.headers, headers);
  return judgeCaller(incoming, isOpen);
}

it("who is refused is told why, with the status that fits", () => {
  const host = "127.0.0.1";
  expect(refusal("http://a.example/", { host })).toEqual({
    kind: "refused",
    status: 400,
    label: "target",
    why: "a gateway is not a proxy: request a path such as /v1/messages",
  });
  expect(refusal("/", { host: "a.example" })).toEqual({
    kind: "refused",
    status: 403,
    label: "host",
    why: "this gateway serves this machine only: use a loopback address",
  });
  expect(refusal("/", { host, origin: "https://a.example" })).toEqual({
    kind: "refused",
    status: 403,
    label: "origin",
    why: "requests from other websites are refused",
  });
  expect(refusal("*", { host })).toBeUndefined();
});

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
    expect(judgeCaller(incoming, isOpen)).toEqual({
      kind: "refused",
      status: 400,
      label: "host",
      why: "a request has one Host header, and this one has several",
    });
  });

  it("may have any name where everybody is asked for a token", () => {
    expect(judge("/v1/messages", { host: "gateway.example", origin: "https://app.example" }, false)).toBeUndefined();
  });
});
