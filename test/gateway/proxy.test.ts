/** If red: the gateway cannot reach the API through a company's proxy, or trusts a false certificate. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { expect, it } from "vitest";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";
import { startGatewayProgram } from "./program.ts";
import { openRawApi } from "./raw-api.ts";

function listen(server: net.Server): Promise<number> {
  atEnd(async () => {
    if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
    server.close();
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}

/** A proxy that knows `CONNECT` and nothing else, and leads every name to one port. */
async function openProxy(
  target: () => number,
): Promise<{ readonly url: URL; readonly asked: string[]; readonly keys: string[] }> {
  const asked: string[] = [];
  const keys: string[] = [];
  const server = http.createServer();
  server.on("connect", (incoming: http.IncomingMessage, socket: net.Socket) => {
    asked.push(incoming.url ?? "");
    keys.push(String(incoming.headers["proxy-authorization"]));
    const onward = net.connect(target(), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on("error", () => undefined);
  });
  return { url: new URL(`http://ada:pass@127.0.0.1:${await listen(server)}`), asked, keys };
}

it("reaches the API through the proxy that the system names, by CONNECT", async () => {
  const api = await openRawApi();
  const proxy = await openProxy(() => Number(new URL(api.url).port));
  const gateway = await openGateway("http://api.example.test", { proxy: proxy.url });
  const body = renderBody(toolLoop(0, 0));
  for (let request = 0; request < 2; request++) expect((await post(gateway.url, body)).status).toBe(200);
  expect(proxy.asked).toEqual(["api.example.test:80"]);
  expect(proxy.keys).toEqual([`Basic ${Buffer.from("ada:pass").toString("base64")}`]);
  expect(api.requests[0]?.headers).toMatchObject({ host: "api.example.test" });
  expect(JSON.stringify(api.requests[0]?.rawHeaders)).not.toContain("roxy");
});

it("tells of a proxy that refuses to connect, and gives it no word of the request", async () => {
  const heard: Buffer[] = [];
  const server = http.createServer();
  server.on("connect", (_incoming, socket: net.Socket) => {
    socket.on("data", (bytes) => heard.push(bytes)).on("error", () => undefined);
    socket.write("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
  });
  const proxy = new URL(`http://127.0.0.1:${await listen(server)}`);
  const gateway = await openGateway("http://api.example.test", { proxy });
  expect((await post(gateway.url, renderBody(toolLoop(0, 0)))).status).toBe(502);
  expect(String(Buffer.concat(heard))).toBe("");
});

it("tells of a proxy that is not there", async () => {
  const gateway = await openGateway("http://api.example.test", { proxy: new URL("http://127.0.0.1:9") });
  expect((await post(gateway.url, renderBody(toolLoop(0, 0)))).status).toBe(502);
});

it("speaks TLS with the upstream, and only with one that it can trust", async () => {
  const folder = createFolder();
  const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
  const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync(
    "openssl",
    [
      ...words,
      "-keyout",
      key,
      "-out",
      certificate,
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost",
    ],
    { stdio: "ignore" },
  );
  const server = https.createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (incoming, response) => {
      incoming.resume().on("end", () => response.end('{"secure":true}'));
    },
  );
  const upstream = `https://localhost:${await listen(server)}`;
  const doubtful = await openGateway(upstream);
  expect((await post(doubtful.url, renderBody(toolLoop(0, 0)))).status).toBe(502);
  const trusting = await startGatewayProgram(["--upstream", upstream, "--store", createFolder()], {
    NODE_EXTRA_CA_CERTS: certificate,
  });
  const answer = await post(trusting.url, renderBody(toolLoop(0, 0)));
  expect(await answer.json()).toEqual({ secure: true });
});
