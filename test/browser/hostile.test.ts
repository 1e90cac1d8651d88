/** If red: a hostile transcript runs code in the page or hides text from the person. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { answer, createWriter, prompt, toolResult, toolUse } from "../support/transcript-lines.ts";
import { createWorld } from "./support/create-world.ts";
import { chromium } from "./support/find-chromium.ts";
import { createBrowser } from "./support/open-browser.ts";
import { readText } from "./support/read-text.ts";
import { type RunningDashboard, startDashboard } from "./support/start-dashboard.ts";

const SCRIPT = `<script>document.title="owned"</script><img src=x onerror="document.title='owned'"><style>*{display:none}</style>`;
const ESCAPES = "\u001b[31mred\u001b]0;owned\u0007\u009b2J";
const REVERSED = "safe\u202egpj.exe\u2066\u200b";
const HOSTILE = `${SCRIPT} ${ESCAPES} ${REVERSED}`;
const LONG_LINE = "x".repeat(10 << 20);

const temporary = createTemporaryFolder();

describe.skipIf(chromium === undefined)("a hostile transcript", () => {
  const browser = createBrowser();
  const world = createWorld(temporary.folder);
  const write = createWriter({ cwd: `/work/${SCRIPT}`, version: `2.1.325${SCRIPT}` });
  const said = (id: string, content: Parameters<typeof answer>[1]) => {
    const line = answer(id, content, { cache_read_input_tokens: 30_000 });
    return {
      ...line,
      message: { ...(typeof line.message === "object" ? line.message : {}), model: `claude-opus-4-6 ${HOSTILE}` },
    };
  };
  world.append(
    "hostile",
    write(
      { type: "custom-title", customTitle: `title ${HOSTILE}`, uuid: "" },
      prompt(HOSTILE),
      said("m1", [HOSTILE, toolUse("t1", `Bash ${HOSTILE}`)]),
      toolResult("t1", `${HOSTILE}\n${LONG_LINE}`),
      said("m2", [toolUse("t2", "Read")]),
      toolResult("t2", LONG_LINE),
      said("m3", ["done"]),
    ),
  );
  world.append("hostile", ["not json", `{"type":"user","message":${"[".repeat(5000)}`]);
  let dashboard: RunningDashboard | undefined;
  beforeAll(async () => {
    dashboard = await startDashboard(world.home);
  });
  afterAll(() => dashboard?.stop());

  it.each(["now", "sessions", "sessions/total", "spend", "what-if"])(
    "is nothing but text in the view %s",
    async (view) => {
      const { page, complaints } = await browser.open(`${dashboard?.url}#/${view}`);
      await page.getByRole("main").locator("section, article, .empty").first().waitFor();
      expect(await page.title()).not.toBe("owned");
      expect(await page.locator("main script, main img, main style").count()).toBe(0);
      const text = await readText(page.getByRole("main"));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may reach the page
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/);
      if (view !== "what-if") expect(text).toContain("U+202E");
      // Of a long name the accounts show the end.
      if (view !== "what-if" && view !== "spend") expect(text).toContain("<script>");
      expect(complaints).toEqual([]);
    },
  );

  it("is shown request by request with everything hidden made visible, and long texts cut", async () => {
    const { page, complaints, shoot } = await browser.open(`${dashboard?.url}#/sessions`);
    await page.getByRole("link", { name: /title/ }).click();
    await page.getByRole("button", { name: /^2/ }).click();
    const start = page.locator(".block-start").filter({ hasText: "<script>" }).first();
    await start.waitFor();
    expect(await readText(start)).toContain("ESC[31mredESC]0;ownedBEL");
    await shoot("hostile");
    await page.getByRole("button", { name: "Show all of it" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/of which the first 200,000 are shown/).waitFor();
    expect(await page.title()).not.toBe("owned");
    expect(complaints).toEqual([]);
  });

  it("counts the lines that are none", async () => {
    const { page } = await browser.open(`${dashboard?.url}#/sessions`);
    await page.getByRole("link", { name: /title/ }).click();
    await page.getByText(/1 malformed line skipped|2 malformed lines skipped/).waitFor();
  });

  it("leaves the server as it was", () => {
    expect(dashboard?.peakMegabytes()).toBeLessThan(300);
  });
});
