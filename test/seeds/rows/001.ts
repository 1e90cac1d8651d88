import type { Rows } from "../row.ts";

export const ROWS_001: Rows = {};
