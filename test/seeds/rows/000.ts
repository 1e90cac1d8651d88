import type { Rows } from "../row.ts";

export const ROWS_000: Rows = {};
