/** If red: a gateway that has just started sends the first long request unshortened. */
import { expect, it } from "vitest";
import { tries } from "../support/depth.ts";
import { calls, person, post, renderBody, results, toolLoop } from "./conversation.ts";
import { createFolder } from "./open-gateway.ts";
import { startGatewayProgram } from "./program.ts";
import { openRawApi } from "./raw-api.ts";

const SHIPS = Array.from({ length: 300 }, (_, index) => ({ ship: `hull ${index}`, marks: { draught: index * 7919 } }));

/** First requests in which something is to be shortened: a new client's, and that of one that goes on with an old conversation. */
const BODIES: readonly string[] = [
  [
    person("Survey the fleet."),
    calls(["toolu_0", "Bash", { command: "cat ships.json" }]),
    results(["toolu_0", JSON.stringify(SHIPS, null, 2)]),
  ],
  toolLoop(60, 60),
].map((messages) => renderBody(messages));

it("a gateway that has just started shortens the first request in which there is something to shorten", async () => {
  const api = await openRawApi();
  const incidents: string[] = [];
  for (let index = 0; index < tries(4, 20); index++) {
    const gateway = await startGatewayProgram(["--upstream", api.url, "--store", createFolder()]);
    const body = BODIES[index % BODIES.length] ?? "";
    expect((await post(gateway.url, body)).status).toBe(200);
    const sent = String(api.requests.at(-1)?.body);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    if (sent === body) incidents.push(`${index}: ${metrics.match(/incidents_total\{.*/g)?.join() ?? "none"}`);
    gateway.child.kill("SIGKILL");
  }
  expect(incidents).toEqual([]);
});
