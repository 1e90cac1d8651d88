// The shortest way: an array of messages goes in, a lighter one comes out. No model, no SDK, no configuration.
import { compact } from "plimsoll";
import { createLongSession } from "./support/long-session.ts";
import { sendMessages } from "./support/send-messages.ts";

const messages = createLongSession();

// The load line: what the messages may weigh. Below it nothing happens, and you get your own array back.
const first = await compact(messages, { targetTokens: 20_000 });
console.log(`${Math.round(first.report.tokensBefore)} -> ${Math.round(first.report.tokensAfter)} tokens`);
await sendMessages(first.messages);

// Keep the ledger. The next request goes over the whole history again, and begins with the very same bytes, so the
// prompt cache still holds what it held.
messages.push({ role: "assistant", content: "The seventh." }, { role: "user", content: "And in which file?" });
const second = await compact(messages, { targetTokens: 20_000, ledger: first.ledger });
console.log(`${second.report.replayed} decisions replayed`);
await sendMessages(second.messages);

// What left the conversation is here, word for word, under the handles that stand in its place.
console.log(`${first.originals.length} originals, such as ${first.originals[0]?.handle}`);
