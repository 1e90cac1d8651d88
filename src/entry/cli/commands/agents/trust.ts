import { sha256 } from "../../../../core/sha256.ts";
import { decodeUtf8 } from "../../../../core/utf8.ts";
import { agreeTo, findClaims } from "../../../../files/agreed-files.ts";
import { type ArtifactFolder, locateArtifacts } from "../../../../files/artifacts/artifact-folder.ts";
import { isOwn, listObjects, readStoredObject } from "../../../../files/artifacts/read-artifacts.ts";
import { attempt } from "../../../../files/artifacts/store-result.ts";
import { agreeToSync, locateTrust } from "../../../../files/node-agreement.ts";
import { nodeProjectFiles } from "../../../../files/node-project-files.ts";
import { nameHandle } from "../../../../fold/marker.ts";
import { claimOriginal } from "../../../../policy/trust/agreement.ts";
import { locateOwnData } from "../../../../recorded/own-data.ts";
import { CliError, type Command, defineCommand, type Terminal } from "../../command.ts";
import { renderSafely } from "../../print/style.ts";

export const trustCommand: Command = defineCommand({
  name: "trust",
  isVerbatim: true,
  summary:
    "Shows the project files that Plimsoll uses only with your agreement: rules, mode, notes, settings and stored originals",
  positional: { name: "agree", help: "show everything that needs your agreement, and agree to it in its current form" },
  options: {},
  examples: {
    "plimsoll trust":
      "lists the files that Plimsoll uses, and shows the text of the files that still need your agreement",
    "plimsoll trust agree":
      "shows what needs your agreement, and agrees to it; if a file changes, you must agree again",
  },
  async run({ positionals }, terminal) {
    const [word, ...rest] = positionals;
    if (rest.length > 0 || (word !== undefined && word !== "agree"))
      throw new CliError('plimsoll trust takes no argument except "agree"');
    const found = await find(terminal);
    const isDone = word === "agree";
    if (isDone) await agree(found);
    const { agreed, waiting, originals } = found;
    const used = [...agreed, ...(isDone ? waiting : [])];
    return {
      json: {
        agreed: used.map(({ name }) => name),
        waiting: isDone ? [] : waiting.map(({ name }) => name),
        originals: isDone ? [] : originals.map(({ hash }) => nameHandle(hash)),
      },
      text: () => renderText(found, isDone),
    };
  },
});

type Found = Awaited<ReturnType<typeof find>>;

async function find({ directory, environment }: Terminal) {
  const dataFolder = locateOwnData(environment);
  const claims = await findClaims(nodeProjectFiles, locateTrust(directory, dataFolder));
  return { dataFolder, ...claims, originals: listForeign(locateArtifacts(directory, dataFolder)) };
}

/** Originals that no session of this person recorded. Damaged ones are left out; `plimsoll artifacts verify` lists them. */
function listForeign(folder: ArtifactFolder) {
  return listObjects(folder).flatMap((hash) => {
    if (isOwn(folder, hash)) return [];
    const read = attempt("notFound", () => readStoredObject(folder, hash));
    return read.ok && sha256(read.value) === hash ? [{ hash, bytes: read.value }] : [];
  });
}

/** Agrees to the texts that were read, not to what the files contain by now. */
async function agree({ dataFolder, waiting, originals }: Found): Promise<void> {
  for (const claim of waiting) await agreeTo(nodeProjectFiles, { dataFolder }, claim);
  for (const { hash } of originals) agreeToSync(dataFolder, claimOriginal(hash));
}

const SHOWN_CHARACTERS = 80;

function renderText({ agreed, waiting, originals }: Found, isDone: boolean): string {
  if (agreed.length + waiting.length + originals.length === 0)
    return "This project contains nothing that needs your agreement.";
  const used = agreed.length === 0 ? [] : [`Used: ${agreed.map(({ name }) => renderSafely(name)).join(", ")}`];
  const head = isDone ? "You agreed to" : "Waiting for your agreement:";
  const texts = waiting.map(({ name, text }) => {
    return `${head} ${renderSafely(name)}\n${text.split("\n").map(renderSafely).join("\n").trimEnd()}`;
  });
  const kept = originals.map(({ hash, bytes }) => {
    const lines = (decodeUtf8(bytes) ?? "(not text)").split("\n");
    const first = (lines.find((line) => line.trim() !== "") ?? "").slice(0, SHOWN_CHARACTERS);
    return `  ${nameHandle(hash)} ${bytes.length} bytes: ${renderSafely(first)}`;
  });
  const originalsText = kept.length === 0 ? [] : [[`${head} originals in .plimsoll/artifacts`, ...kept].join("\n")];
  const isOpen = !isDone && waiting.length + originals.length > 0;
  const how = "To use what is shown above, run: plimsoll trust agree. If a file changes, you must agree again.";
  return [...used, ...texts, ...originalsText, ...(isOpen ? [how] : [])].join("\n\n");
}
