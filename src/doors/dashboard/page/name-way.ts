interface Way {
  readonly title: string;
  /** In place of what the replay says of itself, where that is in its own words. */
  readonly about?: string;
}

const WAYS: Readonly<Record<string, Way>> = {
  native: { title: "The client alone", about: "it summarises the conversation when the window is full" },
  plimsoll: { title: "Plimsoll", about: "as it is installed" },
  "plimsoll:thrifty": { title: "Plimsoll, thrifty", about: "puts more away, and fetches back more" },
  "plimsoll:cautious": { title: "Plimsoll, cautious", about: "keeps more in view, at a higher price" },
  clear_tool_uses: { title: "Clearing old tool results", about: "as the API's own context editing does" },
  none: { title: "Nothing", about: "as if the window had no end" },
  clairvoyant: {
    title: "Knowing the future",
    about: "keeps only what will be needed: a limit to measure by, nobody's choice",
  },
};

/** What a policy is called in front of a person; one that is not listed here keeps its name. */
export function nameWay(policy: string): Way {
  return WAYS[policy] ?? { title: policy };
}
