export { readMeter, readRecording } from "./disk/read-meter.ts";
export { selectMainChain } from "./main-chain.ts";
export { claudeCodeVocabulary } from "./vocabulary.ts";
