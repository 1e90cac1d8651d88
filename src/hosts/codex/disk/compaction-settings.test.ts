/** If red: the place where Codex compacts is wrong, and so is every load that is shown for it. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readCompactionSettings } from "./compaction-settings.ts";

const temporary = createTemporaryFolder();

function locate(config: string | undefined): number | undefined {
  const home = temporary.name("-codex");
  mkdirSync(home);
  if (config !== undefined) writeFileSync(path.join(home, "config.toml"), config);
  return readCompactionSettings({ CODEX_HOME: home }).locate?.(200_000);
}

describe("where Codex compacts", () => {
  it.each([
    ["at nine tenths of the window", undefined, 180_000],
    ["where the person has set it", 'model = "m"\nmodel_auto_compact_token_limit = 90_000 # early', 90_000],
    [
      "never later than in its own window",
      "model_auto_compact_token_limit = 999000\nmodel_context_window = 100000",
      90_000,
    ],
    ["where a profile is set is not everybody's", "[profiles.x]\nmodel_auto_compact_token_limit = 9", 180_000],
    ["as ever, where the file says nothing that can be understood", "model_auto_compact_token_limit = soon", 180_000],
  ])("is %s", (_name, config, tokens) => {
    expect(locate(config)).toBe(tokens);
  });
});
