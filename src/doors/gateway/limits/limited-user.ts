/** Limits of somebody, as all instances read them from the same file. */
export interface LimitedUser {
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly concurrent: number;
}

export interface Entered {
  readonly kind: "entered";
  leave(): void;
}

export interface Refused {
  readonly kind: "refused";
  /** Too many in this minute, or too many at the same time. */
  readonly why: "requests" | "places";
  readonly retryAfterSeconds: number;
}
