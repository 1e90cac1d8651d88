import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isLoopback } from "./http/choose-proxy.ts";
import { listValues } from "./http/filter-headers.ts";
import { createFleetLimits, type FleetLimits, type LimitedUser, type ShareUse } from "./limits/fleet-limits.ts";

export interface GatewayUser extends LimitedUser {
  /** SHA-256 of the token. The token itself is not stored. */
  readonly digest: Buffer;
}

export interface RefusedCaller {
  readonly kind: "refused";
  readonly status: 400 | 401 | 403 | 429;
  /** The reason in the metrics. */
  readonly label: string;
  readonly why: string;
  readonly retryAfterSeconds?: number;
}

export type Admission = RefusedCaller | { readonly kind: "admitted"; readonly user: string; release(): void };

export interface Access {
  admit(token: string | undefined): Promise<Admission>;
  /** From this call on, limits are counted over all instances together, if they can be asked. */
  share?(ask: ShareUse | undefined): Pick<FleetLimits, "tidy">;
}

interface UserAccess extends Required<Access> {
  /** Replaces the list of users. Users who stay keep their counts, and requests in progress finish as they began. */
  replace(users: readonly GatewayUser[]): void;
}

const REQUESTS_PER_MINUTE = 600;
const CONCURRENT = 64;

/** One person's own gateway: on loopback no token is needed. */
export const openAccess: Access = { admit: async () => ({ kind: "admitted", user: "", release: () => undefined }) };

/** Lines of `name token [requests per minute] [at the same time]`, or # and a comment. Throws a `TypeError` that names the line, never the token. */
export function parseUsers(text: string): readonly GatewayUser[] {
  const users = text.split("\n").flatMap((line, index): readonly GatewayUser[] => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const [name = "", token = "", ...given] = line.trim().split(/\s+/);
    const limits = given.map(Number);
    const isWrong = limits.length > 2 || !limits.every((limit) => Number.isInteger(limit) && limit > 0);
    if (!/^[\w.@-]{1,64}$/.test(name) || token.length < 16 || isWrong)
      throw new TypeError(
        `line ${index + 1} of the token file must be: name token [requests per minute] [concurrent requests], with a token of at least 16 characters`,
      );
    const [requestsPerMinute = REQUESTS_PER_MINUTE, concurrent = CONCURRENT] = limits;
    return [{ name, digest: digest(token), requestsPerMinute, concurrent }];
  });
  if (users.length === 0)
    throw new TypeError("the token file has no users: add a line such as: ada A-LONG-RANDOM-TOKEN");
  if (new Set(users.map(({ name }) => name)).size < users.length)
    throw new TypeError("the token file lists a user twice");
  return users;
}

export function createAccess(given: readonly GatewayUser[], clockMs: () => number): UserAccess {
  const createLimits = (ask?: ShareUse): FleetLimits => createFleetLimits(ask, randomUUID(), clockMs);
  let users = given;
  let limits = createLimits();
  return {
    replace(next) {
      users = next;
    },
    share(ask) {
      limits = createLimits(ask);
      return limits;
    },
    async admit(presentedToken) {
      const presented = digest(presentedToken?.replace(/^Bearer\s+/i, "") ?? "");
      const user = users.find((candidate) => timingSafeEqual(candidate.digest, presented));
      if (!user) return STRANGER;
      const { name, concurrent, requestsPerMinute } = user;
      const entry = await limits.enter(user);
      if (entry.kind === "entered") return { kind: "admitted", user: name, release: entry.leave };
      const { why, retryAfterSeconds } = entry;
      const limit =
        why === "places" ? `concurrent requests (${concurrent})` : `requests per minute (${requestsPerMinute})`;
      return { ...refuse(429, `you have reached your limit of ${limit}`), retryAfterSeconds };
    },
  };
}

const STRANGER = refuse(401, "this gateway requires a token in the header x-plimsoll-token");

function refuse(status: RefusedCaller["status"], why: string, label = String(status)): RefusedCaller {
  return { kind: "refused", status, label, why };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * Checks what a request asks for and where it comes from. On loopback no token is needed, so a web page must not
 * get in: a foreign host name that resolves to this machine is refused (DNS rebinding), and so is a foreign origin.
 */
export function judgeCaller(incoming: IncomingMessage, isOpen: boolean): RefusedCaller | undefined {
  const { url = "", headers, rawHeaders } = incoming;
  // Node takes the first and drops the others; a proxy in front may have judged by another one.
  if (listValues(rawHeaders, "host").length > 1)
    return refuse(400, "a request has one Host header, and this one has several", "host");
  if (!url.startsWith("/") && url !== "*")
    return refuse(400, "a gateway is not a proxy: request a path such as /v1/messages", "target");
  if (!isOpen) return undefined;
  if (!isLoopback(nameOf(headers.host ?? "")))
    return refuse(403, "this gateway serves this machine only: use a loopback address", "host");
  const { origin } = headers;
  if (origin !== undefined && !isLoopback(nameOf(origin.replace(/^https?:\/\//i, ""))))
    return refuse(403, "requests from other websites are refused", "origin");
  return undefined;
}

function nameOf(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, "");
}
