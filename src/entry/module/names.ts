/** Of what the module and the engine say to each other; raised when that changes, since an update may replace one of them in mid-session. */
export const ENGINE_FORMAT = 3;

/** The model's name for the tool of a plugin; the plugin's manifest says which plugin. */
export const RECALL_TOOL = "mcp__plimsoll__recall";
