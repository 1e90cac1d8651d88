/** If red: two gateways send different prefixes while their store is away. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../src/entry/gateway/store/postgres-store.ts";
import { LEDGER_OPENING } from "../../src/layers/ledger/ledger-text.ts";
import { needs } from "../support/needs.ts";
import { post, renderBody, type SentMessage, toolLoop } from "./conversation.ts";
import { atEnd, openGateway } from "./open-gateway.ts";
import { hasPostgres, openPostgres, type Postgres } from "./postgres.ts";
import { openRawApi, sendCached } from "./raw-api.ts";

/** Few enough that no request waits for the machine instead of the database. */
const SESSIONS = 6;
const ROUNDS = 40;
const AWAY_MS = 15_000;
/** Between two requests of a conversation while the database is away, so that the outage is met by many of them. */
const PAUSE_MS = 500;

/** How a database goes away and comes back. */
const OUTAGES = {
  "is stopped and started again": [(database: Postgres) => database.stop(), (database: Postgres) => database.start()],
  "stands still with its connections open": [
    async (database: Postgres) => database.freeze(),
    async (database: Postgres) => database.thaw(),
  ],
} as const;

needs(hasPostgres, "no PostgreSQL that this user can run").describe("two instances", () => {
  it.each(Object.entries(OUTAGES))(
    "hold no request for long and lose none while their database %s, and agree afterwards",
    async (_name, [leave, comeBack]) => {
      const database = await openPostgres();
      atEnd(() => database.remove());
      await migratePostgres(database.url);
      const api = await openRawApi(sendCached);
      const gateways = await Promise.all(
        [1, 2].map(async () => {
          const store = createPostgresStore({ url: database.url });
          atEnd(() => store.close());
          return openGateway(api.url, { store });
        }),
      );
      const history = toolLoop(ROUNDS, 60);
      const statuses: number[] = [];
      let isAway = false;
      const send = async (name: number, round: number, instance: number): Promise<void> => {
        const messages = history.slice(0, 2 * round + 1);
        const body = renderBody(messages, { metadata: { user_id: `user_x_account_y_session_${name}` } });
        const headers = { "x-session": String(name), "x-round": String(round) };
        const answer = await post(gateways[instance]?.url ?? "", body, headers);
        statuses.push(answer.status);
        await answer.arrayBuffer();
      };
      const play = async (name: number): Promise<void> => {
        for (let round = 1; round <= ROUNDS; round++) {
          await send(name, round, (name + round) % 2);
          if (isAway) await pause(PAUSE_MS);
        }
      };
      const outage = async (): Promise<void> => {
        while (statuses.length < (SESSIONS * ROUNDS) / 4) await pause(20);
        isAway = true;
        await leave(database);
        await pause(AWAY_MS);
        await comeBack(database);
        isAway = false;
      };
      await Promise.all([outage(), ...Array.from({ length: SESSIONS }, (_, name) => play(name))]);
      expect(statuses).toEqual(Array.from({ length: SESSIONS * ROUNDS }, () => 200));
      for (const { url } of gateways) {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        const read = (name: string): number => Number(metrics.split(`plan_seconds_${name} `)[1]?.split("\n")[0]);
        expect(read('bucket{le="2.5"}')).toBe(read("count"));
        expect(metrics).toMatch(/incidents_total\{cause="away"\} [1-9]/);
      }
      for (let name = 0; name < SESSIONS; name++) expect(listGaps(String(name), api.requests)).toEqual([]);
      // Each conversation once more through either instance: what they send is the same.
      const before = api.requests.length;
      for (let name = 0; name < SESSIONS; name++) for (const instance of [0, 1]) await send(name, ROUNDS, instance);
      const last = api.requests.slice(before).map(({ body }) => String(body));
      for (let name = 0; name < SESSIONS; name++) expect(last[2 * name]).toBe(last[2 * name + 1]);
      // Something was folded, before and after.
      expect(api.requests.filter(({ body }) => body.includes("[FOLDED: ")).length).toBeGreaterThan(SESSIONS);
      const changed = Array.from({ length: SESSIONS }, (_, name) => findChanged(String(name), api.requests)).flat();
      console.log(`${changed.length} changed prefixes in ${statuses.length} requests`);
    },
  );
});

type Sent = Awaited<ReturnType<typeof openRawApi>>["requests"][number];

/** The requests that do not begin as the one before them did, by session and round. */
function findChanged(name: string, requests: readonly Sent[]): readonly string[] {
  const own = requests.filter(({ headers }) => headers["x-session"] === name);
  return own.flatMap((request, index) => {
    const before = own[index - 1];
    if (!before) return [];
    const [old, now] = [listMessages(before), listMessages(request)];
    const at = old.findIndex((message, place) => message !== now[place]);
    // One more segment of ledger is the policy's own doing, at its price.
    const isCollapsed = countSegments(now) > countSegments(old);
    return at < 0 || isCollapsed ? [] : [`session ${name}, round ${String(request.headers["x-round"])}, message ${at}`];
  });
}

/** Rounds that no request of a session has brought to the API. */
function listGaps(name: string, requests: readonly Sent[]): readonly number[] {
  const came = new Set(requests.flatMap(({ headers }) => (headers["x-session"] === name ? [headers["x-round"]] : [])));
  return Array.from({ length: ROUNDS }, (_, index) => index + 1).filter((round) => !came.has(String(round)));
}

function countSegments(messages: readonly string[]): number {
  return messages.join().split(LEDGER_OPENING).length;
}

function listMessages({ body }: Sent): readonly string[] {
  const { messages }: { messages: readonly SentMessage[] } = JSON.parse(String(body));
  // Where the client puts its mark moves on with every request.
  return messages.map((message) =>
    JSON.stringify(message, (key, value) => (key === "cache_control" ? undefined : value)),
  );
}
