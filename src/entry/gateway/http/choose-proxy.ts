import type { Environment } from "../../../hosts/host.ts";

/** The proxy that the environment names for an address; `undefined` if none. Never for loopback. */
export function chooseProxy(target: URL, environment: Environment): URL | undefined {
  if (isLoopback(target.hostname) || isExempt(target, readVariable(environment, "no_proxy"))) return undefined;
  const name = target.protocol === "https:" ? "https_proxy" : "http_proxy";
  const given = readVariable(environment, name) || readVariable(environment, "all_proxy");
  if (given === "") return undefined;
  const proxy = given.includes("://") ? given : `http://${given}`;
  if (!isWebAddress(proxy))
    throw new TypeError(`${name.toUpperCase()} must be an http address, such as http://proxy:3128`);
  return new URL(proxy);
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Lower case is older, upper case common. `HTTP_PROXY` is read although CGI lets a request set it: this is not CGI. */
function readVariable(environment: Environment, name: string): string {
  return environment[name] || environment[name.toUpperCase()] || "";
}

/** `example.com` and `.example.com` match subdomains, `*` matches everything; a port is compared only if one is named. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const actual = port || (protocol === "https:" ? "443" : "80");
  return (list.match(/[^\s,]+/g) ?? []).some((entry) => {
    const [name = "", wanted] = entry.replace(/^\*?\./, "").split(":");
    if (entry === "*") return true;
    return (wanted === undefined || wanted === actual) && (hostname === name || hostname.endsWith(`.${name}`));
  });
}

/** Whether an address is this machine by its literal name, and not by one that a resolver could send elsewhere. */
export function isLoopbackUrl(url: string): boolean {
  return isWebAddress(url) && isLoopback(new URL(url).hostname);
}
