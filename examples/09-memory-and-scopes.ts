// What outlives a session, the instructions of one folder only, and the gate before a bundle goes to another model.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { consolidateMemory, loadMemory, readInstructionFiles, saveMemories } from "plimsoll/files";
import { applyDispatchCaps, previewContext } from "plimsoll/preview";
import { findRuleConflicts, fitInstructions, renderMemory, renderRuleConflicts } from "plimsoll/prompt";

const root = path.join(process.env.EXAMPLE_FOLDER ?? ".", "shop");
for (const folder of ["", "packages/api", "packages/web"]) mkdirSync(path.join(root, folder), { recursive: true });
writeFileSync(path.join(root, "CLAUDE.md"), "- Use npm.\n");
writeFileSync(path.join(root, "packages/api/CLAUDE.md"), "- Use pnpm.\n");
writeFileSync(path.join(root, "packages/web/CLAUDE.md"), "- Draw buttons in blue.\n");

// Organisation, user, root, parents, then down to the active file; never a folder beside that line.
const { files } = readInstructionFiles({ root, activeFile: "packages/api/refund.ts", top: root });
console.log(`instructions: ${files.map((file) => path.relative(root, file.path)).join(", ")}`);
console.log(fitInstructions(files).text);
console.log(renderRuleConflicts(findRuleConflicts(files)));

// Lessons are added, dated, under their topics; a turn gets the index, and the topics that its task is about.
saveMemories(root, [{ topic: "Release", text: "Tag before publishing." }], Date.UTC(2026, 0, 2));
saveMemories(root, [{ topic: "Testing", text: "Fixtures are recorded." }], Date.UTC(2026, 0, 3));
console.log(renderMemory(loadMemory(root, "publish the next release")));
writeFileSync(path.join(root, ".plimsoll/memory/deploy.md"), "# Deploy\n- Never on a Friday.\n- never on a friday\n");
const { listed, repeated } = consolidateMemory(root);
console.log(`consolidated: ${listed.join(", ")} listed, ${repeated.length} lesson said twice`);

// Asked before a bundle is built; whatever was estimated, the caps hold when it is sent.
const bundle = files.map((file) => ({ path: path.relative(root, file.path), text: file.text.repeat(2_000) }));
const { action, upper_tokens } = previewContext({ caller: "team", files: bundle });
const { text, truncated } = applyDispatchCaps({ system: "", user: "Compare them.", files: bundle });
console.log(`${action} at ${upper_tokens} tokens; sent: ${text?.length} characters, cut: ${truncated.join(", ")}`);
