/** One request to the Messages API without any SDK. */
export async function sendMessages(messages: readonly object[]): Promise<string> {
  const response = await fetch(`${process.env.ANTHROPIC_BASE_URL ?? "https://api.anthropic.com"}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": process.env.ANTHROPIC_API_KEY ?? "",
    },
    body: JSON.stringify({ model: "claude-sonnet-4-6", max_tokens: 1024, messages }),
  });
  const answer: Answer = JSON.parse(await response.text());
  if (answer.error) throw new Error(answer.error.message);
  return (answer.content ?? []).map(({ text }) => text ?? "").join("");
}

interface Answer {
  readonly content?: readonly { readonly text?: string }[];
  readonly error?: { readonly message: string };
}
