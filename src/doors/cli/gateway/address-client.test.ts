import { describe, expect, it } from "vitest";
import { addressClient } from "./address-client.ts";

const URL = "http://127.0.0.1:1";

describe("a client that is run through a gateway", () => {
  it("reads a variable, and what stood in it is the upstream", () => {
    const client = addressClient("claude", ["-p", "x"], { ANTHROPIC_BASE_URL: "http://up" });
    expect([client.upstream, client.words(URL), client.environment(URL)]).toEqual([
      "http://up",
      ["-p", "x"],
      { ANTHROPIC_BASE_URL: URL },
    ]);
    expect(addressClient("claude", [], {}).upstream).toBeUndefined();
  });

  it.each(["codex", "/usr/local/bin/codex", "codex.exe"])("is told in its own words where it is %s", (program) => {
    const client = addressClient(program, ["exec", "x"], {});
    expect([client.upstream, client.words(URL), client.environment(URL)]).toEqual([
      "https://api.openai.com/v1",
      ["-c", `openai_base_url="${URL}"`, "exec", "x"],
      {},
    ]);
  });
});
