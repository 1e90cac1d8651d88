// The licence texts of what is bundled: a library that is shipped inside a file is shipped with its licence.
// A few packages have no file for it: then what their README says, or the text of MIT with the author that they name.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const TEXTS = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
const LINE = "-".repeat(80);

/** An esbuild plugin that notes which packages end up in an output; `render` gives their texts. */
export function createLicences() {
  const folders = new Set();
  return {
    plugin: {
      name: "licences",
      setup(setup) {
        setup.initialOptions.metafile = true;
        setup.onEnd(({ metafile }) => {
          for (const folder of listBundled(metafile)) folders.add(folder);
        });
      },
    },
    render: () => renderLicences([...folders]),
  };
}

/** The folders of the packages of which a byte is in an output. */
export function listBundled(metafile) {
  const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.entries(output.inputs));
  const bundled = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return [...new Set(bundled.flatMap(([file]) => PACKAGE.exec(file)?.[1] ?? []))];
}

function renderLicences(folders) {
  const parts = new Map(folders.map((folder) => describePackage(folder)));
  const texts = [...parts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  return `Plimsoll's programs contain parts of these packages, each under its own licence.\n\n${texts.join("\n")}`;
}

function describePackage(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const names = readdirSync(folder).sort();
  const texts = names
    .filter((file) => TEXTS.test(file))
    .map((file) => readFileSync(path.join(folder, file), "utf8").trim());
  if (texts.length === 0) texts.push(findInReadme(folder, names) ?? renderMit({ name, license, author }));
  return [`${name} ${version}`, `${LINE}\n${name} ${version} (${license})\n${LINE}\n${texts.join("\n\n")}\n`];
}

function findInReadme(folder, names) {
  const readme = names.find((file) => /^readme/i.test(file));
  const text = readme === undefined ? "" : readFileSync(path.join(folder, readme), "utf8");
  const section = /^#+\s*licen[cs]e\s*$([\s\S]*)/im.exec(text)?.[1]?.trim();
  return section !== undefined && /permission is hereby granted/i.test(section) ? section : undefined;
}

function renderMit({ name, license, author }) {
  const owner = typeof author === "string" ? author : author?.name;
  if (license !== "MIT" || !owner) throw new Error(`${name} is bundled, and its licence text cannot be found`);
  return `Copyright (c) ${owner}\n\n${MIT}`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
