/** For the official SDK: a client that stays below its line, a summariser. */
export * from "./create-summariser.ts";
export * from "./sdk-client.ts";
export * from "./with-plimsoll.ts";
