/** If red: three gateways let through three times a person's limit. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccess, parseUsers } from "../../src/entry/gateway/access.ts";
import { createPostgresStore, migratePostgres } from "../../src/entry/gateway/store/postgres-store.ts";
import { needs } from "../support/needs.ts";
import { post, renderBody } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { hasPostgres, openPostgres, type Postgres } from "./postgres.ts";
import { openRawApi } from "./raw-api.ts";

const TOKEN = "a-long-token-of-somebody";
const INSTANCES = 3;

let database: Postgres;

/** Instances that share a database and a file of users. */
async function openFleet(users: string) {
  const api = await openRawApi();
  const gateways = await Promise.all(
    Array.from({ length: INSTANCES }, () =>
      openGateway(api.url, {
        store: createPostgresStore({ url: database.url }),
        access: createAccess(parseUsers(users), () => Date.now()),
      }),
    ),
  );
  // Connected first: a question that takes a second counts as unanswered, and each instance goes by its own limits then.
  for (const { url } of gateways) await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  const body = renderBody([{ role: "user", content: "?" }]);
  const headers = { "x-plimsoll-token": TOKEN };
  const ask = async (index: number): Promise<Response> => {
    const answer = await post(gateways[index % INSTANCES]?.url ?? "", body, headers);
    await answer.arrayBuffer();
    return answer;
  };
  const flood = async (count: number): Promise<readonly Response[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
  return { ask, flood };
}

const countAdmitted = (answers: readonly Response[]): number => answers.filter(({ status }) => status === 200).length;

needs(hasPostgres, "no PostgreSQL that this user can run").describe("limits over three instances", () => {
  beforeAll(async () => {
    database = await openPostgres();
    await migratePostgres(database.url);
  });
  afterAll(() => database?.remove());

  it("hold for a flood at all of them, and who is refused is told when to come again", async () => {
    const { flood } = await openFleet(`flood ${TOKEN} 30 1000`);
    const beganMs = Date.now();
    const answers = await flood(150);
    const endedMs = Date.now();
    const refilled = ((endedMs - beganMs) / 60_000) * 30;
    expect(countAdmitted(answers)).toBeGreaterThanOrEqual(30);
    expect(countAdmitted(answers)).toBeLessThanOrEqual(30 + Math.ceil(refilled));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length + countAdmitted(answers)).toBe(150);
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("hold for a steady stream of requests, whoever of them is asked", async () => {
    const { ask } = await openFleet(`steady ${TOKEN} 60 1000`);
    const beganMs = Date.now();
    let admitted = 0;
    for (let index = 0; index < 150; index++) if ((await ask(index)).status === 200) admitted++;
    const endedMs = Date.now();
    const refilled = (endedMs - beganMs) / 1000;
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(60 + Math.ceil(refilled));
  });

  it("are each instance's own while the database is away, and all instances' when it is back", async () => {
    const { flood } = await openFleet(`away ${TOKEN} 6 1000`);
    await database.stop();
    const away = countAdmitted(await flood(60));
    expect(away).toBeGreaterThanOrEqual(6 * INSTANCES);
    await database.start();
    const fleet = await openFleet(`back ${TOKEN} 6 1000`);
    expect(countAdmitted(await fleet.flood(60))).toBeLessThan(6 * 2);
  });
});
