/** If red: the gateway ignores the company's proxy, or sends local requests through it. */
import { describe, expect, it } from "vitest";
import { chooseProxy, isLoopback, isLoopbackUrl } from "./choose-proxy.ts";

const api = new URL("https://api.anthropic.com");
const HTTPS_PROXY = "http://proxy:3128";

describe("the system's proxy", () => {
  it.each([
    [{ HTTPS_PROXY }, "http://proxy:3128/"],
    [{ https_proxy: "proxy:99" }, "http://proxy:99/"],
    [{ ALL_PROXY: HTTPS_PROXY }, "http://proxy:3128/"],
    [{ HTTP_PROXY: HTTPS_PROXY }, undefined],
    [{}, undefined],
    [{ HTTPS_PROXY, NO_PROXY: "*" }, undefined],
    [{ HTTPS_PROXY, NO_PROXY: "localhost, .anthropic.com" }, undefined],
    [{ HTTPS_PROXY, no_proxy: "anthropic.com:443" }, undefined],
    [{ HTTPS_PROXY, NO_PROXY: "anthropic.com:80" }, "http://proxy:3128/"],
    [{ HTTPS_PROXY, NO_PROXY: "thropic.com" }, "http://proxy:3128/"],
  ])("of %j is %s", (environment, proxy) => {
    expect(chooseProxy(api, environment)?.href).toBe(proxy);
  });

  it.each(["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1"])("is never asked for %s", (target) => {
    expect(chooseProxy(new URL(target), { HTTP_PROXY: HTTPS_PROXY })).toBeUndefined();
  });

  it.each([
    ["http://api.test", { http_proxy: "proxy:1", NO_PROXY: "api.test:80" }, undefined],
    ["http://api.test", { http_proxy: "proxy:1", NO_PROXY: "api.test:443" }, "http://proxy:1/"],
    ["http://api.test:8080", { HTTP_PROXY: "proxy:1", NO_PROXY: "api.test:8080" }, undefined],
    ["http://a.test", { HTTP_PROXY: "https://proxy:1", NO_PROXY: "b.test, *.c.test" }, "https://proxy:1/"],
    ["http://a.b.c.test", { HTTP_PROXY: "proxy:1", NO_PROXY: "b.test,*.c.test" }, undefined],
    ["https://a.test", { https_proxy: "one:1", HTTPS_PROXY: "two:2", all_proxy: "three:3" }, "http://one:1/"],
  ])("for %s of %j is %s", (target, environment, proxy) => {
    expect(chooseProxy(new URL(target), environment)?.href).toBe(proxy);
  });

  it("is not needed for this machine, by its own names and addresses alone", () => {
    const hosts = ["localhost", "::1", "[::1]", "127.0.0.1", "127.255.1.2", "127.1", "128.0.0.1", "localhost.test"];
    expect(hosts.filter(isLoopback)).toEqual(hosts.slice(0, 5));
    const urls = ["http://localhost:1", "https://127.0.0.1", "ftp://localhost", "http://api.test", "localhost"];
    expect(urls.filter(isLoopbackUrl)).toEqual(urls.slice(0, 2));
  });

  it("that is no address is told, without its words", () => {
    const choose = () => chooseProxy(api, { HTTPS_PROXY: "socks5://ada:secret@proxy" });
    expect(choose).toThrow("HTTPS_PROXY must be an http address");
    expect(choose).not.toThrow(/secret/);
  });
});
