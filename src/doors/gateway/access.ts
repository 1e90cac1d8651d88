import { createHash, timingSafeEqual } from "node:crypto";

/** Somebody who may use a shared gateway. */
export interface GatewayUser {
  readonly name: string;
  /** SHA-256 of the token: the token itself is kept nowhere. */
  readonly digest: Buffer;
  readonly requestsPerMinute: number;
  readonly concurrent: number;
}

export type Admission =
  | { readonly kind: "admitted"; readonly user: string; release(): void }
  | { readonly kind: "refused"; readonly status: 401 | 429; readonly why: string; readonly retryAfterSeconds?: number };

export interface Access {
  admit(token: string | undefined): Admission;
}

export interface UserAccess extends Access {
  /** These from now on. Who is there already keeps what they have used, and what is under way ends as it began. */
  replace(users: readonly GatewayUser[]): void;
}

const REQUESTS_PER_MINUTE = 600;
const CONCURRENT = 64;
const MINUTE_MS = 60_000;

/** One person's own gateway: on loopback nobody is asked who they are. */
export const openAccess: Access = { admit: () => ({ kind: "admitted", user: "", release: () => undefined }) };

/**
 * Lines of `name token [requests per minute] [at the same time]`; what begins with # is a remark. Throws a `TypeError` that
 * names the line and never the token.
 */
export function parseUsers(text: string): readonly GatewayUser[] {
  const users = text.split("\n").flatMap((line, index): readonly GatewayUser[] => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const [name = "", token = "", perMinute, concurrent, ...more] = line.trim().split(/\s+/);
    const limits = [perMinute, concurrent].map((limit) => (limit === undefined ? undefined : Number(limit)));
    const isWrong = limits.some((limit) => limit !== undefined && !(Number.isInteger(limit) && limit > 0));
    if (!/^[\w.@-]{1,64}$/.test(name) || token.length < 16 || isWrong || more.length > 0)
      throw new TypeError(
        `line ${index + 1} of the token file must be: name token [requests per minute] [at the same time], the token of 16 characters or more`,
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
    throw new TypeError("the token file names nobody: add a line such as: ada A-LONG-RANDOM-TOKEN");
  if (new Set(users.map(({ name }) => name)).size < users.length)
    throw new TypeError("the token file names somebody twice");
  return users;
}

/**
 * A bucket that fills by the minute for each user, and a count of what is under way. `clockMs` is best one that only goes
 * forward; one that is set back fills nothing and takes nothing away.
 */
export function createAccess(given: readonly GatewayUser[], clockMs: () => number): UserAccess {
  const states = new Map<string, { left: number; atMs: number; active: number }>();
  let users: readonly GatewayUser[] = [];
  const replace = (next: readonly GatewayUser[]): void => {
    users = next;
    for (const { name, requestsPerMinute } of next)
      if (!states.has(name)) states.set(name, { left: requestsPerMinute, atMs: clockMs(), active: 0 });
  };
  replace(given);
  return {
    replace,
    admit(presentedToken) {
      const token = presentedToken?.replace(/^Bearer\s+/i, "") ?? "";
      const presented = digest(token);
      const user = users.find((candidate) => timingSafeEqual(candidate.digest, presented));
      const state = user && states.get(user.name);
      if (!user || !state)
        return {
          kind: "refused",
          status: 401,
          why: "this gateway wants a token of its own in the header x-plimsoll-token",
        };
      const now = clockMs();
      const refill = (Math.max(0, now - state.atMs) * user.requestsPerMinute) / MINUTE_MS;
      state.left = Math.min(user.requestsPerMinute, state.left + refill);
      state.atMs = now;
      if (state.active >= user.concurrent)
        return {
          kind: "refused",
          status: 429,
          why: `${user.concurrent} requests are under way already`,
          retryAfterSeconds: 1,
        };
      if (state.left < 1) {
        const retryAfterSeconds = Math.ceil(((1 - state.left) * MINUTE_MS) / user.requestsPerMinute / 1000);
        return {
          kind: "refused",
          status: 429,
          why: `more than ${user.requestsPerMinute} requests a minute`,
          retryAfterSeconds,
        };
      }
      state.left--;
      state.active++;
      let isHeld = true;
      const release = (): void => {
        if (isHeld) state.active--;
        isHeld = false;
      };
      return { kind: "admitted", user: user.name, release };
    },
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
