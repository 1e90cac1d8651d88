import type { Rows } from "../row.ts";

export const ROWS_002: Rows = {};
