import { isLoopback } from "../../gateway/http/choose-proxy.ts";

/** Whether an address is this machine by its very name: no name that a resolver could send elsewhere. */
export function isLoopbackUrl(url: string): boolean {
  try {
    const { hostname, protocol } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") return false;
    return isLoopback(hostname);
  } catch {
    return false;
  }
}
