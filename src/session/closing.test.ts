/** If red: a turn that ended with a question is taken for finished work. */
import { describe, expect, it } from "vitest";
import { isAwaiting, readClosing, readRemainder } from "./closing.ts";

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
    ["The hull is tight. Now on every tide the pump starts by itself.", "ends"],
    [`Two ways:\n\n\`\`\`\n${"oak\n".repeat(600)}\`\`\`\n\nWant me to take the first?`, "asks"],
    ["Rigged.\n\nIf you want, I can next:\n1. paint it\n2. launch it\n3. name it\n4. insure it", "asks"],
    ["| # | boat |\n\nReply with a number to see more.", "asks"],
    ["Sealed both seams.\n\nNow try it again:\n\n```\npump\n```\n\n- Seam one\n- Seam two\n- Seam three", "asks"],
    ["Only you can unlock it. You'll need to run the key command.", "asks"],
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
    expect(readClosing("Which mast (or a mix, e.g. Oak below)?").words).toBe("Which mast (or a mix, e.g. Oak below)?");
    expect(readClosing("If you want, I can now:\n- paint it\n- launch it").words).toBe(
      "If you want, I can now: paint it launch it",
    );
  });

  it("waits only for what was started", () => {
    expect(isAwaiting("Waiting for the build.")).toBe(true);
    expect(isAwaiting("The build is green.")).toBe(false);
  });
});

describe("what the model names as left at the end of a turn", () => {
  it.each([
    ["The hull is tight. Next: write the tests for the mast.", ["write the tests for the mast."]],
    ["Done with the hull.\n\nRemaining: rig the mast, paint the load line", ["rig the mast, paint the load line"]],
    ["All green. The docs for the mast are still missing.", ["The docs for the mast are still missing."]],
    ["TODO rig the mast", ["TODO rig the mast"]],
    ["TODO: rig the mast", ["rig the mast"]],
    ["Still open: the load line.", ["the load line."]],
    ["I still need to rig the mast.", ["I still need to rig the mast."]],
    ["Next up is the mast.", ["Next up is the mast."]],
    ["The mast remains to be done.", ["The mast remains to be done."]],
    [
      "Committed.\n\n## Next steps\n\n1. Rig the mast\n2. Paint the **load line**\n",
      ["Rig the mast", "Paint the load line"],
    ],
    ["Built.\n\n**Remaining work:**\n- [x] hull\n- [ ] mast\n- [ ] sails\n\nAll of it is small.", ["mast", "sails"]],
    ["Next, we should do this in order:\n\n1. rig the mast\n2. paint it", ["rig the mast", "paint it"]],
    ["Not pushed — say the word.", ["Not pushed — say the word."]],
    ["船体は完成しました。\n\n残りの作業：\n- マストを立てる\n- 帆を張る", ["マストを立てる", "帆を張る"]],
    ["完了しました。\n\n次のステップ: テストを書く", ["テストを書く"]],
  ])("[R44][R46] is read off %j", (said, left) => {
    expect(readRemainder(said)).toEqual(left);
  });

  it.each([
    "The hull is tight and all tests pass.",
    "There is nothing left to do.",
    "There are no remaining tasks.",
    "Remaining: none",
    "Next question: which mast do you want?",
    "Next time you build it, run setup first.",
    "Remaining warnings are in text that I did not touch.",
    "- `next`: 16.2.1 → 16.2.4",
    "- Next.js 15 with TypeScript",
    "- Open: `67`",
    "```\nTODO: rig the mast\n```\nThat line was there before.",
    "The todo for the mast is committed.",
  ])("is nothing in %j", (said) => {
    expect(readRemainder(said)).toEqual([]);
  });
});
