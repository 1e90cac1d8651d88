import type { Rows } from "../row.ts";

export const ROWS_003: Rows = {};
