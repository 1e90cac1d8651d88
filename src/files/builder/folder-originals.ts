import { readdirSync } from "node:fs";
import { encodeUtf8 } from "../../core/utf8.ts";
import type { NamedOriginal } from "../../layers/history/originals.ts";
import type { HashedOriginals } from "../../survive/recall/recall.ts";
import { locateArtifacts, openArtifactFolder } from "../artifacts/artifact-folder.ts";
import { keepObject } from "../artifacts/keep-artifact.ts";
import { readStored } from "../artifacts/originals.ts";
import { readArtifact } from "../artifacts/read-artifacts.ts";

/** Originals in `.plimsoll/artifacts` of a folder of your own: private files by hash, on disk before anything is removed. */
export function openOriginals(
  folder: string,
): HashedOriginals & { readonly store: (originals: readonly NamedOriginal[]) => void } {
  const place = locateArtifacts(folder);
  const opened = openArtifactFolder(place);
  if (!opened.ok) throw new TypeError(`originals cannot be kept in ${folder}: ${opened.problem.detail}`);
  return {
    store(originals) {
      for (const { hash, text } of originals) keepObject(place, hash, encodeUtf8(text));
    },
    hashes: () =>
      readdirSync(place.objects, { recursive: true, encoding: "utf8" }).flatMap(
        (name) => /[0-9a-f]{64}$/.exec(name) ?? [],
      ),
    read: (hash) => readStored({ read: (name) => readArtifact(place, name) }, hash),
  };
}
