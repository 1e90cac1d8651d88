import { createHash, timingSafeEqual } from "node:crypto";
import type { Refusals } from "./wire.ts";

/** What a request says of itself. */
export interface AskedRequest {
  readonly method: string | undefined;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

export interface Doorway {
  readonly port: number;
  readonly token: string;
}

export type RequestJudgement =
  | {
      readonly isLet: true /** The path behind the token; empty where even the slash is missing. */;
      readonly path: string;
    }
  | { readonly isLet: false; readonly why: Exclude<keyof Refusals, "fault"> };

/**
 * Who may look: only a page that was opened with the token, under the address it was given out with, asking from itself. A
 * name that some foreign server points at this machine is a foreign host, so re-bound names get nowhere.
 */
export function judgeRequest({ method, path, host, origin }: AskedRequest, { port, token }: Doorway): RequestJudgement {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !own.includes(host.toLowerCase())) return { isLet: false, why: "host" };
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return { isLet: false, why: "origin" };
  if (method !== "GET" && method !== "HEAD") return { isLet: false, why: "method" };
  const [, given = "", ...rest] = path.split("/");
  if (!isSame(given, token)) return { isLet: false, why: "token" };
  return { isLet: true, path: rest.length === 0 ? "" : `/${rest.join("/")}` };
}

/** In the same time whatever the guess, and whatever its length. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
