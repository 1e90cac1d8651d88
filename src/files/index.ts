/** What a harness reads and keeps on disk: instruction files in their scopes, the durable memory, and a hash by the platform. */
export * from "./instruction-files.ts";
export * from "./instruction-files-facts.ts";
export * from "./memory.ts";
export { sha256 as nativeSha256 } from "./native-sha256.ts";
