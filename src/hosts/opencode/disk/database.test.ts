/** If red: the sessions of OpenCode are not found in its database. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { OPENCODE_SESSION } from "../../../../test/support/host-lines.ts";
import { needs } from "../../../../test/support/needs.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { writeDatabase } from "../../../../test/support/write-opencode-database.ts";
import { listAll, readSession } from "../../catalogue.ts";
import { openCode } from "../host.ts";
import { hasDatabases } from "./sessions.ts";

const { name } = createTemporaryFolder();
const withSqlite = needs(hasDatabases(), "this Node has no node:sqlite");
const withoutSqlite = needs(!hasDatabases(), "this Node has node:sqlite");

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

  withSqlite.it("tells messages in the order in which they were said, whatever their ids are", () => {
    const read = (session: typeof OPENCODE_SESSION): readonly string[] => {
      const { home, database } = createHome();
      writeDatabase(database, session);
      const [found] = listAll({ HOME: home });
      return readSession(found?.path ?? "").events.map(({ kind }) => kind);
    };
    // The later a message, the earlier its id in the alphabet.
    const text = JSON.stringify(OPENCODE_SESSION).replace(/msg_(\d)/g, (_, at) => `msg_${9 - Number(at)}`);
    expect(read(JSON.parse(text))).toEqual(read(OPENCODE_SESSION));
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
