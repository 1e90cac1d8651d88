import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { OPENCODE_SESSION } from "../../../../test/support/host-lines.ts";
import { needs } from "../../../../test/support/needs.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { listAll, readSession } from "../../catalogue.ts";
import { openCode } from "../host.ts";
import { hasDatabases } from "./database.ts";

const { name } = createTemporaryFolder();
const withSqlite = needs(hasDatabases(), "this Node has no node:sqlite");
const withoutSqlite = needs(!hasDatabases(), "this Node has node:sqlite");

/** The tables as far as they are read. The program is told in text: the types of this Node's release know no `node:sqlite`. */
function writeDatabase(file: string, { info, messages }: typeof OPENCODE_SESSION): void {
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const [file, text] = process.argv.slice(1);
    const { info, messages } = JSON.parse(text);
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_updated INTEGER)");
    database.exec("CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT)");
    database.exec("CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)");
    database.prepare("INSERT INTO session VALUES (?, NULL, ?, ?, ?, 1)").run(info.id, info.directory, info.title, info.version);
    for (const [index, message] of messages.entries()) {
      const { id, ...data } = message.info;
      database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)").run(id, info.id, index, JSON.stringify(data));
      for (const [at, part] of message.parts.entries())
        database.prepare("INSERT INTO part VALUES (?, ?, ?, ?)").run("prt_" + index + at, id, info.id, JSON.stringify(part));
    }
    database.close();`;
  execFileSync(process.execPath, ["-e", script, file, JSON.stringify({ info, messages })]);
}

function createHome(): { home: string; database: string } {
  const home = name("");
  const database = path.join(home, ".local/share/opencode/opencode.db");
  mkdirSync(path.dirname(database), { recursive: true });
  return { home, database };
}

describe("the database of OpenCode", () => {
  withSqlite.it("holds the same sessions as its exports", () => {
    const { home, database } = createHome();
    writeDatabase(database, OPENCODE_SESSION);
    const [found] = listAll({ HOME: home });
    expect(found).toMatchObject({ path: `${database}#ses_1`, project: "/ship/work", client: "OpenCode" });
    const { accounts, tally } = readSession(found?.path ?? "");
    expect([accounts.steps.length, accounts.title, tally.lines]).toEqual([2, "To the harbour", 9]);
    expect(openCode.nameSession(found?.path ?? "")).toBe("ses_1");
  });

  it("is passed over where it is none", () => {
    const { home, database } = createHome();
    mkdirSync(database);
    expect(listAll({ HOME: home })).toEqual([]);
  });

  withoutSqlite.it("says what is needed to read it", () => {
    const { database } = createHome();
    expect(() => readSession(database)).toThrow(/Node 22\.5|opencode export/);
  });
});
