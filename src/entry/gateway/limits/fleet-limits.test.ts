/** If red: a person gets three times their limit from three gateways, or is locked out when the database is away. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFleetLimits, type FleetLimits, grantUse, type SharedUse, type ShareUse } from "./fleet-limits.ts";

const ADA = { name: "ada", requestsPerMinute: 600, concurrent: 1000 };

/** Instances that share what a database would keep, under a clock that the test sets. */
function openFleet(instances: number) {
  const rows = new Map<string, SharedUse>();
  const world = { nowMs: 0, asked: 0, isAway: false, silentMs: 0 };
  const ask: ShareUse = async (asks) => {
    world.asked++;
    await new Promise((resolve) => setImmediate(resolve));
    if (world.isAway) {
      world.nowMs += world.silentMs;
      throw new Error("away");
    }
    return asks.map((each) => {
      const { use, grant } = grantUse(rows.get(each.person), each, world.nowMs);
      rows.set(each.person, use);
      return grant;
    });
  };
  const clockMs = () => world.nowMs;
  const fleet = Array.from({ length: instances }, (_, at) => createFleetLimits(ask, `i${at}`, clockMs));
  return { world, rows, fleet, at: (index: number): FleetLimits => fleet[index % instances] ?? fail() };
}

function fail(): never {
  throw new Error("there is no such instance");
}

/** Longer than any question to what would be the database takes. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function enterMany(limits: (index: number) => FleetLimits, count: number, user = ADA) {
  const entries = await Promise.all(Array.from({ length: count }, (_, index) => limits(index).enter(user)));
  return entries.flatMap((entry) => (entry.kind === "entered" ? [entry] : []));
}

describe("a person's limits over three instances", () => {
  it("let in exactly as many as one instance would, all at once or one after another", async () => {
    const { at } = openFleet(3);
    expect(await enterMany(at, 1500)).toHaveLength(600);
    const other = openFleet(3);
    let entered = 0;
    for (let index = 0; index < 700; index++) if ((await other.at(index).enter(ADA)).kind === "entered") entered++;
    expect(entered).toBe(600);
  });

  it("cost a round trip for a second's worth of requests, and not for each", async () => {
    const { world, at } = openFleet(3);
    for (let index = 0; index < 300; index++) {
      const entry = await at(index).enter(ADA);
      if (entry.kind === "entered") entry.leave();
    }
    expect(world.asked).toBeLessThan(300 / 4);
  });

  it("let in at the same time as many as one instance would, and the next for each that ends", async () => {
    const { world, fleet, at } = openFleet(3);
    const user = { ...ADA, concurrent: 40 };
    const entered = await enterMany(at, 120, user);
    expect(entered).toHaveLength(40);
    for (const { leave } of entered.slice(0, 5)) leave();
    // What was free at one instance is free for all after a second or two.
    for (let second = 0; second < 2; second++) {
      world.nowMs += 1_000;
      for (const limits of fleet) limits.tidy();
      await settle();
    }
    expect(await enterMany(at, 120, user)).toHaveLength(5);
  });

  it("give back what nobody used, and forget who is gone", async () => {
    const { world, rows, fleet, at } = openFleet(3);
    for (const { leave } of await enterMany(at, 30)) leave();
    for (let second = 0; second < 3; second++) {
      for (const limits of fleet) limits.tidy();
      await settle();
    }
    expect(rows.get("ada")).toMatchObject({ left: 570, holds: [] });
    const before = world.asked;
    for (const limits of fleet) limits.tidy();
    expect(world.asked).toBe(before);
  });

  it("keep the places of requests that take long, and free those of an instance that is gone", async () => {
    const { world, fleet, at } = openFleet(2);
    const user = { ...ADA, concurrent: 2 };
    expect((await at(0).enter(user)).kind).toBe("entered");
    expect((await at(1).enter(user)).kind).toBe("entered");
    // The second is killed: only the first says that it is still there.
    for (let second = 0; second < 30; second++) {
      world.nowMs += 1_000;
      fleet[0]?.tidy();
      await settle();
    }
    expect(await enterMany(() => at(0), 5, user)).toHaveLength(1);
  });
});

describe("without a database", () => {
  it.each([0, 1_000])(
    "for one question that fails after %i ms, no other instance gives the places of running requests again",
    async (silentMs) => {
      for (let failing = 1; failing <= 8; failing++) {
        const { world, at } = openFleet(2);
        const user = { ...ADA, concurrent: 2 };
        expect(await enterMany(() => at(0), 2, user)).toHaveLength(2);
        world.silentMs = silentMs;
        for (let second = 1; second <= 20; second++) {
          world.nowMs = second * 1_100;
          expect(await at(1).enter(user)).toMatchObject({ kind: "refused" });
          world.isAway = second === failing;
          at(0).tidy();
          await settle();
          world.isAway = false;
        }
      }
    },
  );

  it("who has used up the minute gets no second one", async () => {
    const { world, at } = openFleet(1);
    for (const { leave } of await enterMany(at, 700)) leave();
    world.isAway = true;
    world.nowMs += 1_000;
    expect(await enterMany(at, 700)).toHaveLength(10);
  });

  it("each instance lets in as many as it would alone, and nobody waits for it twice", async () => {
    const { world, at } = openFleet(2);
    world.isAway = true;
    expect(await enterMany(at, 1500)).toHaveLength(1200);
    const asked = world.asked;
    world.nowMs += 1_000;
    expect(await at(0).enter(ADA)).toMatchObject({ kind: "entered" });
    expect(world.asked).toBe(asked);
  });

  it("that does not answer at all a request waits for a moment, and goes on", async () => {
    const limits = createFleetLimits(
      () => new Promise(() => undefined),
      "i",
      () => 0,
    );
    expect(await limits.enter(ADA)).toMatchObject({ kind: "entered" });
    expect(await limits.enter(ADA)).toMatchObject({ kind: "entered" });
  });

  it("what was let in meanwhile has its places once it is back", async () => {
    const { world, rows, at } = openFleet(1);
    world.isAway = true;
    await enterMany(at, 20);
    world.isAway = false;
    world.nowMs += 10_000;
    at(0).tidy();
    await settle();
    expect(rows.get("ada")?.holds[0]?.places).toBeGreaterThanOrEqual(20);
  });
});

const HOUR_MS = 3_600_000;
const PER_MINUTE = 30;

function open(startMs = 10 * HOUR_MS) {
  let nowMs = startMs;
  const own = createFleetLimits(undefined, "i", () => nowMs);
  const admit = () => own.enter({ name: "ada", requestsPerMinute: PER_MINUTE, concurrent: 1000 });
  const step = (ms: number): void => {
    nowMs += ms;
  };
  const ask = async (): Promise<string> => {
    const entry = await admit();
    if (entry.kind === "entered") entry.leave();
    return entry.kind;
  };
  return { ask, step, admit };
}

describe("a limit by the minute", () => {
  it.each([
    ["set back an hour", -HOUR_MS],
    ["set forward an hour", HOUR_MS],
    ["set back to the beginning of time", -10 * HOUR_MS],
  ])("lets everybody go on whose clock was %s", async (_name, jumpMs) => {
    const { ask, step } = open();
    expect(await ask()).toBe("entered");
    step(jumpMs);
    for (let request = 0; request < PER_MINUTE - 1; request++) expect(await ask()).toBe("entered");
  });

  it("says after how many seconds to come again, and holds to it, though the clock was set back", async () => {
    const { ask, admit, step } = open();
    for (let request = 0; request < PER_MINUTE; request++) await ask();
    step(-HOUR_MS);
    const refused = await admit();
    expect(refused).toMatchObject({ kind: "refused", why: "requests", retryAfterSeconds: 2 });
    step(2000);
    expect(await ask()).toBe("entered");
  });

  it("gives every minute what it allows, wherever a clock jumps in between", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -HOUR_MS, max: HOUR_MS }), { maxLength: 20 }), async (jumps) => {
        const { ask, step } = open();
        for (const jump of jumps) {
          step(jump);
          await ask();
        }
        // A minute that passes as minutes do fills the bucket, whatever the clock did before.
        await ask();
        step(60_000);
        for (let request = 0; request < PER_MINUTE; request++) expect(await ask()).toBe("entered");
        expect(await ask()).toBe("refused");
      }),
    );
  });
});

describe("a limit of what is under way", () => {
  const user = { name: "ada", requestsPerMinute: 1000, concurrent: 2 };

  it("lets in exactly so many, and one more for each that ends, once", async () => {
    const own = createFleetLimits(undefined, "i", () => 0);
    const enter = async () => (await own.enter(user)).kind;
    const first = await own.enter(user);
    expect([first.kind, await enter(), await enter()]).toEqual(["entered", "entered", "refused"]);
    if (first.kind === "entered") for (const leave of [first.leave, first.leave]) leave();
    expect([await enter(), await enter()]).toEqual(["entered", "refused"]);
  });

  it("counts at once if it becomes lower", async () => {
    const own = createFleetLimits(undefined, "i", () => 0);
    const first = await own.enter(user);
    const second = await own.enter(user);
    for (const entry of [first, second]) if (entry.kind === "entered") entry.leave();
    const lower = { ...user, concurrent: 1 };
    const kinds = [(await own.enter(lower)).kind, (await own.enter(lower)).kind];
    expect(kinds).toEqual(["entered", "refused"]);
  });
});
