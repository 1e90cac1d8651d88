/** If red: plimsoll gateway changes its prefix after a crash, or cuts off requests when it ends. */
import { writeFileSync } from "node:fs";
import type http from "node:http";
import net from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { createFolder } from "./open-gateway.ts";
import { startGatewayProgram, startProgram } from "./program.ts";
import { openRawApi, sendCached } from "./raw-api.ts";

/** The messages of a request without the breakpoint, which moves. */
function messagesOf(body: Buffer | undefined): string {
  const plain = String(body).replaceAll(',"cache_control":{"type":"ephemeral"}', "");
  return JSON.stringify(JSON.parse(plain).messages).slice(0, -1);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

describe("plimsoll gateway", () => {
  it("goes on after kill -9, by itself or in another place, with the same prefix bytes", async () => {
    const api = await openRawApi(sendCached);
    const store = createFolder();
    // Few enough that nothing is collapsed yet.
    const history = toolLoop(7, 250);
    const words = ["--upstream", api.url, "--store", store];
    let gateway = await startGatewayProgram(words);
    for (let end = 1; end <= history.length; end += 2) {
      if (end % 6 === 5) {
        gateway.child.kill("SIGKILL");
        expect(await gateway.ended).toBe("SIGKILL");
        gateway = await startGatewayProgram(words);
      }
      expect((await post(gateway.url, renderBody(history.slice(0, end)))).status).toBe(200);
    }
    const sent = api.requests.map(({ body }) => messagesOf(body));
    expect(sent).toHaveLength(8);
    for (const [index, messages] of sent.slice(1).entries()) expect(messages.startsWith(sent[index] ?? "?")).toBe(true);
    // On a busy machine a plan may take longer than its budget, and its request then leaves as it came.
    expect(sent.at(-1)).toContain("[FOLDED: ");
  });

  it("says where nothing can be kept, and serves all the same", async () => {
    const api = await openRawApi();
    const program = await startGatewayProgram(["--upstream", api.url, "--store", "postgres://127.0.0.1:9/x"]);
    await expect.poll(() => program.heard.remarks).toContain("Plimsoll cannot write to the store PostgreSQL.");
    expect((await post(program.url, renderBody(toolLoop(0, 0)))).status).toBe(200);
  });

  it("reads its users again when their file changes, and keeps them where it cannot be read", async () => {
    const [ada, bob] = ["a".repeat(16), "b".repeat(16)];
    const file = path.join(createFolder(), "users.txt");
    const write = (text: string): void => writeFileSync(file, text, { mode: 0o600 });
    write(`ada ${ada}\n`);
    const api = await openRawApi();
    const words = ["--upstream", api.url, "--store", createFolder(), "--token-file", file];
    const { url, heard } = await startGatewayProgram(words);
    const ask = async (token: string): Promise<number> =>
      (await post(url, renderBody(toolLoop(0, 0)), { "x-plimsoll-token": token })).status;
    expect([await ask(ada), await ask(bob)]).toEqual([200, 401]);
    write(`bob ${bob}\n`);
    await expect.poll(async () => [await ask(ada), await ask(bob)]).toEqual([401, 200]);
    write("nonsense\n");
    await expect.poll(() => heard.remarks).toContain("The users are unchanged.");
    expect([await ask(ada), await ask(bob)]).toEqual([401, 200]);
    expect(heard.remarks).not.toMatch(/aaaa|bbbb/);
  });

  it("drains on SIGTERM: what is under way comes to its end, then it tells what it did", async () => {
    const held: http.ServerResponse[] = [];
    const api = await openRawApi((_, response) => void held.push(response));
    const gateway = await startGatewayProgram(["--upstream", api.url, "--store", createFolder()]);
    const asked = post(gateway.url, renderBody(toolLoop(0, 0)));
    await expect.poll(() => held.length).toBe(1);
    gateway.child.kill("SIGTERM");
    await expect.poll(() => isListening(Number(new URL(gateway.url).port))).toBe(false);
    held[0]?.end("{}");
    expect((await asked).status).toBe(200);
    expect(await gateway.ended).toBe(0);
    expect(gateway.heard.output).toContain('"requests": 1');
  });

  it.each([
    [["--host", "0.0.0.0"], "--token-file"],
    [["--upstream", "ftp://x"], "http or https"],
    [["--upstream", "nonsense"], "--upstream takes an address"],
    [["--port", "70000"], "from 0 to 65535"],
    [["--compaction", "maybe"], "pass, trim, answer"],
    [["--token-file", "missing.txt"], "there is no file"],
  ])("says what is wrong with %j", async (words, sentence) => {
    const { ended, heard } = startProgram(["gateway", "--port", "0", "--store", createFolder(), ...words]);
    expect(await ended).toBe(2);
    expect(heard.remarks).toContain(sentence);
  });

  it("ends as for any wrong option where the port is taken", async () => {
    const { port } = new URL((await openRawApi()).url);
    const { ended, heard } = startProgram(["gateway", "--port", port, "--store", createFolder()]);
    expect(await ended).toBe(2);
    expect(heard.remarks).toContain(`port ${port} is taken: pass another --port`);
  });

  it.each([
    ["gateway", [], "file"],
    ["run", ["--", process.execPath, "--version"], "file"],
    ["gateway", [], "file/below"],
  ])("says of %s %j that %s is no folder to keep a ledger in", async (command, words, name) => {
    const folder = createFolder();
    writeFileSync(path.join(folder, "file"), "in the way");
    const { ended, heard } = startProgram([command, "--store", path.join(folder, name), ...words]);
    expect(await ended).toBe(2);
    expect(heard.remarks).toContain(
      `${path.join(folder, name)}, because a file or a link is in the way: pass a folder with --store DIR`,
    );
  });
});

describe("plimsoll run", () => {
  const ask = `const http = require("node:http");
    http.request(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST" }, (answer) => {
      answer.resume().on("end", () => process.exit(Number(process.argv[1])));
    }).end('{"model":"m","messages":[{"role":"user","content":"x"}]}');`;

  it("runs a program through a gateway of its own, and ends as it did", async () => {
    const api = await openRawApi();
    const words = ["run", "--store", createFolder(), "--", process.execPath, "-e", ask, "7", "--help"];
    const { ended, heard } = startProgram(words, { ANTHROPIC_BASE_URL: api.url });
    expect(await ended).toBe(7);
    expect(api.requests).toHaveLength(1);
    expect(heard.remarks).toContain("plimsoll: 1 request, sent unchanged\n");
    expect(heard.output).toBe("");
  });

  it("passes signals on", async () => {
    const script = 'process.on("SIGTERM", () => process.exit(9)); console.log("up"); setInterval(() => {}, 1000);';
    const program = startProgram(["run", "--store", createFolder(), "--", process.execPath, "-e", script]);
    await expect.poll(() => program.heard.output).toContain("up");
    program.child.kill("SIGTERM");
    expect(await program.ended).toBe(9);
  });

  it("tells of a program that is not there", async () => {
    const { ended, heard } = startProgram(["run", "--store", createFolder(), "--", "no-such-program"]);
    expect(await ended).toBe(127);
    expect(heard.remarks).toContain('there is no program "no-such-program"');
  });

  it("tells of a file that is no program, as a shell does", async () => {
    const file = path.join(createFolder(), "plain.txt");
    writeFileSync(file, "words");
    const { ended, heard } = startProgram(["run", "--store", createFolder(), "--", file]);
    expect(await ended).toBe(126);
    expect(heard.remarks).toContain("you have no permission to run");
  });

  it("says in its help that the program's exit status is passed on", async () => {
    const { ended, heard } = startProgram(["run", "--help"]);
    expect(await ended).toBe(0);
    expect(heard.output.replace(/\s+/g, " ")).toContain("plimsoll run exits with the status of that command");
  });

  it("wants to know what to run", async () => {
    const { ended, heard } = startProgram(["run"]);
    expect(await ended).toBe(2);
    expect(heard.remarks).toContain("plimsoll run -- claude");
  });
});
