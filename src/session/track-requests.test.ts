/** If red: a file is attributed to the wrong request. */
import { describe, expect, it } from "vitest";
import { asks, calls, edits, follow, passes, says } from "../../test/support/session-story.ts";

describe("requests", () => {
  it("are noted with their short texts, not with long ones or ones of several paragraphs", () => {
    const { requests } = follow(says("Tests pass."), says("x".repeat(300)), says("one\n\ntwo"));
    expect(requests.notes.map((note) => note.texts)).toEqual([["Tests pass."], [], []]);
  });

  it("are noted with the files they changed, each once, failed changes left out", () => {
    const failed = calls("Write", { file_path: "/p/c.ts", content: "" }, "denied", { isError: true });
    const { requests } = follow(edits("/p/a.ts"), edits("C:\\p\\b.ts"), failed);
    expect(requests.notes.map((note) => note.changed)).toEqual([["/p/a.ts"], ["C:/p/b.ts"], []]);
  });

  it("keep their words for twenty requests, in small letters, and only so many of them", () => {
    const { requests } = follow(says("Login PAGE"), ...passes(19));
    expect(requests.notes[0]?.words).toContain("login page");
    const later = follow(says("Login PAGE"), ...passes(20)).requests;
    expect(later.notes[0]?.words).toBe("");
    expect(follow(says("y".repeat(9000)), asks("z")).requests.notes[0]?.words.length).toBe(4000);
  });

  it("are remembered for a thousand requests", () => {
    const { requests } = follow(...passes(1010));
    expect([requests.notes.length, requests.notes[0]?.request, requests.count]).toEqual([1000, 11, 1010]);
  });

  it("do not count marking a task as speaking of it", () => {
    const { requests } = follow(calls("TaskUpdate", { taskId: "1", subject: "Login page" }, "Updated task #1 subject"));
    expect(requests.notes[0]?.words).toBe("");
  });
});
