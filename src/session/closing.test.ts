import { describe, expect, it } from "vitest";
import { isAwaiting, readClosing } from "./closing.ts";

describe("how a text of the model ends", () => {
  it.each([
    ["Found it: the port is wrong.\n\nThe node runs elsewhere. Let me check whether it answers there.", "announces"],
    ["Good. Now wire it into the hull:", "announces"],
    ["I also need to check whether the keel is listed:", "announces"],
    ["Both would work. Shall I round half up or half even?", "asks"],
    ["Which do you want?\n\n1. Leave it local.\n2. Force it.\n3. Another path.", "asks"],
    ["Logging is on. Want me to log the stack too? It helps.", "asks"],
    ["All green. Let me know if there is anything else to do.", "asks"],
    ["I'll push once you confirm.", "ends"],
    ["Started the reviewers. I'll report once they are back.", "awaits"],
    ["Why did it fail? Because the port was taken. I freed it. I started the server. It answers now.", "ends"],
    ["It rounds now.", "ends"],
  ])("%s", (text, kind) => {
    expect(readClosing(text).kind).toBe(kind);
  });

  it("is what the host says of it, whatever the words", () => {
    expect(readClosing("The hull is tight.", { isTurnEnd: false }).kind).toBe("announces");
    expect(readClosing("Let me look at the stern.", { isTurnEnd: true }).kind).toBe("ends");
  });

  it("is told in the sentences that say so", () => {
    expect(readClosing("A. The node is in Docker. Let me check port 5001.").words).toBe(
      "The node is in Docker. Let me check port 5001.",
    );
    expect(readClosing("Done.\n\nShall I commit it?").words).toBe("Shall I commit it?");
  });

  it("waits only for what was started", () => {
    expect(isAwaiting("Waiting for the build.")).toBe(true);
    expect(isAwaiting("The build is green.")).toBe(false);
  });
});
