import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { createPostgresStore, migratePostgres } from "../../src/doors/gateway/store/postgres-store.ts";
import { LEDGER_OPENING } from "../../src/layers/ledger/ledger-text.ts";
import { needs } from "../support/needs.ts";
import { post, renderBody, type SentMessage, toolLoop } from "./conversation.ts";
import { atEnd, openGateway } from "./open-gateway.ts";
import { hasPostgres, openPostgres } from "./postgres.ts";
import { openRawApi, sendCached } from "./raw-api.ts";

const SESSIONS = 20;
const ROUNDS = 25;
const AWAY_MS = 8_000;

needs(hasPostgres, "no PostgreSQL that this user can run").it(
  "two instances lose no request and hold every prefix while their database is away for 8 seconds",
  async () => {
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
    const history = toolLoop(ROUNDS, 300);
    const statuses: number[] = [];
    let done = 0;
    const play = async (name: number): Promise<void> => {
      for (let round = 1; round <= ROUNDS; round++) {
        const url = gateways[(name + round) % 2]?.url ?? "";
        const body = renderBody(history.slice(0, 2 * round + 1), {
          metadata: { user_id: `user_x_account_y_session_${name}` },
        });
        const answer = await post(url, body, { "x-session": String(name), "x-round": String(round) });
        statuses.push(answer.status);
        await answer.arrayBuffer();
        done++;
      }
    };
    const outage = async (): Promise<void> => {
      while (done < (SESSIONS * ROUNDS) / 4) await pause(20);
      await database.stop();
      await pause(AWAY_MS);
      await database.start();
    };
    await Promise.all([outage(), ...Array.from({ length: SESSIONS }, (_, name) => play(name))]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(SESSIONS * ROUNDS);
    const changed = Array.from({ length: SESSIONS }, (_, name) => findChanged(String(name), api.requests)).flat();
    expect(changed.length, changed.join("\n")).toBeLessThanOrEqual(2);
    // Something was folded, before and after.
    expect(api.requests.filter(({ body }) => body.includes("[FOLDED: ")).length).toBeGreaterThan(SESSIONS);
  },
);

type Sent = Awaited<ReturnType<typeof openRawApi>>["requests"][number];

/** The requests that do not begin as the one before them did, by session and round. */
function findChanged(name: string, requests: readonly Sent[]): readonly string[] {
  const own = requests.filter(({ headers }) => headers["x-session"] === name);
  return own.flatMap((request, index) => {
    const before = own[index - 1];
    if (!before) return [];
    const [old, now] = [listMessages(before), listMessages(request)];
    const at = old.findIndex((message, place) => message !== now[place]);
    // One more stretch of ledger is the policy's own doing, at its price.
    const isCollapsed = countStretches(now) > countStretches(old);
    return at < 0 || isCollapsed ? [] : [`session ${name}, round ${String(request.headers["x-round"])}, message ${at}`];
  });
}

function countStretches(messages: readonly string[]): number {
  return messages.join().split(LEDGER_OPENING).length;
}

function listMessages({ body }: Sent): readonly string[] {
  const { messages }: { messages: readonly SentMessage[] } = JSON.parse(String(body));
  // Where the client puts its mark moves on with every request.
  return messages.map((message) =>
    JSON.stringify(message, (key, value) => (key === "cache_control" ? undefined : value)),
  );
}
