import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isLoopback } from "./http/choose-proxy.ts";
import { createFleetLimits, createOwnLimits, type FleetLimits } from "./limits/fleet-limits.ts";
import type { Entered, LimitedUser, Refused, ShareUse } from "./limits/grant-use.ts";

export interface GatewayUser extends LimitedUser {
  /** SHA-256 of the token. The token itself is not stored. */
  readonly digest: Buffer;
}

export type Admission =
  | { readonly kind: "admitted"; readonly user: string; release(): void }
  | { readonly kind: "refused"; readonly status: 401 | 429; readonly why: string; readonly retryAfterSeconds?: number };

export interface Access {
  /** Asynchronous only if the limits are shared with other instances. */
  admit(token: string | undefined): Admission | Promise<Admission>;
  /** From this call on, limits are counted over all instances together. */
  share?(ask: ShareUse): Pick<FleetLimits, "tidy">;
}

export interface UserAccess extends Required<Access> {
  /** Replaces the list of users. Users who stay keep their counts, and requests in progress finish as they began. */
  replace(users: readonly GatewayUser[]): void;
}

const REQUESTS_PER_MINUTE = 600;
const CONCURRENT = 64;

/** One person's own gateway: on loopback no token is needed. */
export const openAccess: Access = { admit: () => ({ kind: "admitted", user: "", release: () => undefined }) };

/**
 * Lines of `name token [requests per minute] [at the same time]`; a line that begins
 * with # is a comment. Throws a `TypeError` that names the line, never the token.
 */
export function parseUsers(text: string): readonly GatewayUser[] {
  const users = text.split("\n").flatMap((line, index): readonly GatewayUser[] => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const [name = "", token = "", perMinute, concurrent, ...more] = line.trim().split(/\s+/);
    const limits = [perMinute, concurrent].map((limit) => (limit === undefined ? undefined : Number(limit)));
    const isWrong = limits.some((limit) => limit !== undefined && !(Number.isInteger(limit) && limit > 0));
    if (!/^[\w.@-]{1,64}$/.test(name) || token.length < 16 || isWrong || more.length > 0)
      throw new TypeError(
        `line ${index + 1} of the token file must be: name token [requests per minute] [concurrent requests], with a token of at least 16 characters`,
      );
    return [
      {
        name,
        digest: digest(token),
        requestsPerMinute: limits[0] ?? REQUESTS_PER_MINUTE,
        concurrent: limits[1] ?? CONCURRENT,
      },
    ];
  });
  if (users.length === 0)
    throw new TypeError("the token file has no users: add a line such as: ada A-LONG-RANDOM-TOKEN");
  if (new Set(users.map(({ name }) => name)).size < users.length)
    throw new TypeError("the token file lists a user twice");
  return users;
}

/** Each user's limits as this instance counts them and, once they are shared, as all instances count them. */
export function createAccess(given: readonly GatewayUser[], clockMs: () => number): UserAccess {
  const own = createOwnLimits(clockMs);
  let users = given;
  let fleet: FleetLimits | undefined;
  return {
    replace(next) {
      users = next;
    },
    share(ask) {
      fleet = createFleetLimits({ ask, instance: randomUUID(), clockMs });
      return fleet;
    },
    admit(presentedToken) {
      const presented = digest(presentedToken?.replace(/^Bearer\s+/i, "") ?? "");
      const user = users.find((candidate) => timingSafeEqual(candidate.digest, presented));
      if (!user) return STRANGER;
      const here = own.enter(user);
      if (here.kind === "refused") return refuse(user, here);
      const everywhere = fleet?.enter(user);
      if (!everywhere) return admitted(user, [here]);
      const settle = (entry: Entered | Refused): Admission => {
        if (entry.kind === "entered") return admitted(user, [here, entry]);
        here.undo();
        return refuse(user, entry);
      };
      return everywhere instanceof Promise ? everywhere.then(settle) : settle(everywhere);
    },
  };
}

const STRANGER: Admission = {
  kind: "refused",
  status: 401,
  why: "this gateway requires a token in the header x-plimsoll-token",
};

function admitted({ name }: GatewayUser, entries: readonly Entered[]): Admission {
  const release = (): void => {
    for (const { leave } of entries) leave();
  };
  return { kind: "admitted", user: name, release };
}

function refuse({ requestsPerMinute, concurrent }: GatewayUser, { why, retryAfterSeconds }: Refused): Admission {
  const sentence =
    why === "places"
      ? `you have reached your limit of concurrent requests (${concurrent})`
      : `you have reached your limit of requests per minute (${requestsPerMinute})`;
  return { kind: "refused", status: 429, why: sentence, retryAfterSeconds };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

interface Objection {
  readonly status: 400 | 403;
  readonly why: "target" | "host" | "origin";
  readonly sentence: string;
}

/**
 * Checks what a request asks for and where it comes from. On loopback no token is needed, so a web page must not
 * get in: a foreign host name that resolves to this machine is refused (DNS rebinding), and so is a foreign origin.
 */
export function judgeCaller({ url = "", headers }: IncomingMessage, isOpen: boolean): Objection | undefined {
  if (!url.startsWith("/") && url !== "*")
    return { status: 400, why: "target", sentence: "a gateway is not a proxy: request a path such as /v1/messages" };
  if (!isOpen) return undefined;
  if (!isLoopback(nameOf(headers.host ?? "")))
    return { status: 403, why: "host", sentence: "this gateway serves this machine only: use a loopback address" };
  const { origin } = headers;
  if (origin !== undefined && !isLoopback(nameOf(origin.replace(/^https?:\/\//i, ""))))
    return { status: 403, why: "origin", sentence: "requests from other websites are refused" };
  return undefined;
}

function nameOf(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, "");
}
