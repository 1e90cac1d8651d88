/** If red: names, paths or the vendor's texts get into recordings that are published. */
import { describe, expect, it } from "vitest";
import { sanitiseText, shortenVendorText } from "./sanitise.ts";

const places = { home: "/tmp/x-1/home", cwd: "/tmp/x-1/demo", hostName: "vm-77" };
const long = "v".repeat(400);

describe("sanitiseText", () => {
  it("replaces HOME, project, temporary folder, the project's folder name and the host", () => {
    expect(sanitiseText("/tmp/x-1/home/.claude/projects/-tmp-x-1-demo on vm-77", places)).toBe(
      "/home/dev/.claude/projects/-home-dev-demo on devbox",
    );
    expect(sanitiseText("/tmp/x-1/home/tmp/a and /tmp/x-1/demo/b", places)).toBe("/tmp/a and /home/dev/demo/b");
    expect(sanitiseText("OS Version: Linux 6.18.44-x-v3", places)).toBe("OS Version: Linux 6.1.0");
  });
});

describe("shortenVendorText", () => {
  it("cuts long texts of the vendor's attachments and shapes", () => {
    expect(shortenVendorText({ type: "attachment", attachment: { type: "skill_listing", content: long } })).toEqual({
      type: "attachment",
      attachment: { type: "skill_listing", content: `${"v".repeat(80)}…[cut by record]` },
    });
  });

  it("keeps names and types of tool parameters", () => {
    const schema = { type: "object", properties: { path: { type: "string", description: "where" } } };
    expect(shortenVendorText({ type: "api-request-shape", shape: { tools: [{ input_schema: schema }] } })).toEqual({
      type: "api-request-shape",
      shape: { tools: [{ input_schema: { type: "object", properties: { path: { type: "string" } } } }] },
    });
  });

  it("cuts reminders out of a recorded request and leaves the result around them whole", () => {
    const content = [{ type: "tool_result", content: `${long}<system-reminder>${long}</system-reminder>` }];
    const kept = `<system-reminder>${"v".repeat(80 - "<system-reminder>".length)}…[cut by record]</system-reminder>`;
    expect(shortenVendorText({ type: "api-request-blob", message: { role: "user", content } })).toEqual({
      type: "api-request-blob",
      message: { role: "user", content: [{ type: "tool_result", content: long + kept }] },
    });
  });

  it("leaves user, assistant and hook texts alone", () => {
    const user = { type: "user", message: { role: "user", content: long } };
    const hook = { type: "attachment", attachment: { type: "hook_success", content: long } };
    expect(shortenVendorText(user)).toBe(user);
    expect(shortenVendorText(hook)).toBe(hook);
  });
});
