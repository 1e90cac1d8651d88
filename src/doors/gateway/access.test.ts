import { expect, it } from "vitest";
import { createAccess, parseUsers } from "./access.ts";

const TOKEN = "a-long-token-of-ada";

async function kindOf(admission: ReturnType<ReturnType<typeof createAccess>["admit"]>): Promise<string> {
  return (await admission).kind;
}

it("users who are replaced come and go at once, and who stays has used what they have used", async () => {
  const access = createAccess(parseUsers(`ada ${TOKEN} 2\neve the-token-of-eve-who-leaves`), () => 0);
  expect(await kindOf(access.admit(TOKEN))).toBe("admitted");
  access.replace(parseUsers(`ada ${TOKEN} 2\nbob the-token-of-bob-who-comes`));
  expect(await access.admit("the-token-of-eve-who-leaves")).toMatchObject({ kind: "refused", status: 401 });
  expect(await kindOf(access.admit("the-token-of-bob-who-comes"))).toBe("admitted");
  expect([await kindOf(access.admit(TOKEN)), await kindOf(access.admit(TOKEN))]).toEqual(["admitted", "refused"]);
});

it("says which limit was met, and never the token", async () => {
  const access = createAccess(parseUsers(`ada ${TOKEN} 1 1`), () => 0);
  const first = await access.admit(TOKEN);
  expect(await access.admit(TOKEN)).toMatchObject({ status: 429, why: "1 requests are under way already" });
  if (first.kind === "admitted") first.release();
  const second = await access.admit(TOKEN);
  expect(second).toMatchObject({ status: 429, why: "more than 1 requests a minute", retryAfterSeconds: 60 });
  expect(JSON.stringify(second)).not.toContain(TOKEN);
});

it("nobody is refused by this instance for what another one has refused", async () => {
  let attempts = 0;
  const access = createAccess(parseUsers(`ada ${TOKEN} 2`), () => attempts * 1_000);
  access.share(async (asks) =>
    asks.map(({ person, places }) => {
      return { person, requests: attempts < 5 ? 0 : 1, places: places + 1, retryAfterSeconds: 1 };
    }),
  );
  for (; attempts < 5; attempts++) expect(await kindOf(access.admit(TOKEN))).toBe("refused");
  expect(await kindOf(access.admit(TOKEN))).toBe("admitted");
});
