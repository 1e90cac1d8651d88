/** If red: the gateway ignores the company's proxy, or sends local requests through it. */
import { describe, expect, it } from "vitest";
import { chooseProxy } from "./choose-proxy.ts";

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

  it("that is no address is told, without its words", () => {
    const choose = () => chooseProxy(api, { HTTPS_PROXY: "socks5://ada:secret@proxy" });
    expect(choose).toThrow("HTTPS_PROXY must be an http address");
    expect(choose).not.toThrow(/secret/);
  });
});
