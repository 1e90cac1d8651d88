import type { Author } from "../core/message.ts";
import { type CallVocabulary, plainVocabulary } from "../layers/history/vocabulary.ts";
import { aiSdkFormat } from "./ai-sdk/model-messages.ts";
import { createAnthropicFormat } from "./anthropic/messages.ts";
import { anthropicTools } from "./anthropic/vocabulary.ts";
import { type Format, isRecord, type WireMessage } from "./conversation.ts";
import { createGeminiFormat } from "./gemini/contents.ts";
import { createLangchainFormat } from "./langchain/messages.ts";
import { createChatFormat } from "./openai-chat/messages.ts";
import { createResponsesFormat, groupItems } from "./openai-responses/items.ts";

interface WireFormat {
  create(decideAuthor: (text: string) => Author): Format;
  readonly vocabulary: CallVocabulary;
  /** For a conversation that is no list of messages: groups items into messages. */
  group?(items: readonly object[]): readonly WireMessage[];
}

export type FormatName = "anthropic" | "openai-chat" | "openai-responses" | "gemini" | "ai-sdk" | "langchain";

const FORMATS: Readonly<Record<FormatName, WireFormat>> = {
  anthropic: { create: createAnthropicFormat, vocabulary: anthropicTools },
  "openai-chat": { create: createChatFormat, vocabulary: plainVocabulary },
  "openai-responses": {
    create: createResponsesFormat,
    vocabulary: plainVocabulary,
    group: (items) => groupItems(items).map(({ message }) => message),
  },
  gemini: { create: createGeminiFormat, vocabulary: plainVocabulary },
  "ai-sdk": { create: () => aiSdkFormat, vocabulary: plainVocabulary },
  langchain: { create: createLangchainFormat, vocabulary: plainVocabulary },
};

export const FORMAT_NAMES: readonly string[] = Object.keys(FORMATS);

export function findFormat(name: FormatName = "anthropic"): WireFormat {
  return FORMATS[name];
}

/** Flattens groups into the items of a format that groups them. */
export function listItems(groups: readonly object[]): readonly object[] {
  return groups.flatMap((group): readonly object[] =>
    isRecord(group) && Array.isArray(group.content) ? group.content.filter(isRecord) : [],
  );
}
