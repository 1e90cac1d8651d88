import type { IncomingMessage } from "node:http";
import { isLoopback } from "./choose-proxy.ts";

/** Why a request is not served. */
export interface Objection {
  readonly status: 400 | 403;
  readonly why: "target" | "host" | "origin";
  readonly sentence: string;
}

/**
 * What a request may ask for, and from where. On loopback nobody is asked for a token, so a page in a browser must not get in: under a
 * name that some foreign server points at this machine it is a foreign host, and from another site a foreign origin.
 */
export function judgeCaller({ url = "", headers }: IncomingMessage, isOpen: boolean): Objection | undefined {
  if (!url.startsWith("/") && url !== "*")
    return { status: 400, why: "target", sentence: "this is a gateway and no proxy: ask for a path" };
  if (!isOpen) return undefined;
  if (!isLoopback(nameOf(headers.host ?? "")))
    return {
      status: 403,
      why: "host",
      sentence: "this gateway is for this machine alone: ask it by a loopback address",
    };
  const { origin } = headers;
  if (origin !== undefined && !isLoopback(nameOf(origin.replace(/^https?:\/\//i, ""))))
    return { status: 403, why: "origin", sentence: "pages of other sites are not served" };
  return undefined;
}

/** Without its port. */
function nameOf(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, "");
}
