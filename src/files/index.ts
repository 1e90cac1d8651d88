/** What a harness reads and stores on disk: originals, the durable memory, instruction files in their scopes, files to search. */
export { createFileSearch } from "./builder/file-search.ts";
export { openOriginals } from "./builder/folder-originals.ts";
export { readInstructionFiles } from "./instruction-files.ts";
export { readStalenessFacts } from "./instruction-files-facts.ts";
export { consolidateMemory, loadMemory, saveMemories } from "./memory.ts";
