/** Solves a square system by elimination with pivoting. A singular column gives 0 for its unknown. */
export function solveLinear(matrix: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  const rows = matrix.map((row, index) => [...row, vector[index] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = findPivot(rows, column);
    const pivotRow = rows[pivot];
    const swapped = rows[column];
    if (!pivotRow || !swapped || Math.abs(pivotRow[column] ?? 0) < 1e-12) continue;
    rows[pivot] = swapped;
    rows[column] = pivotRow;
    for (const [index, row] of rows.entries()) {
      if (index === column) continue;
      const share = (row[column] ?? 0) / (pivotRow[column] ?? 1);
      if (share === 0) continue;
      for (let at = column; at <= size; at++) row[at] = (row[at] ?? 0) - share * (pivotRow[at] ?? 0);
    }
  }
  return rows.map((row, index) => {
    const diagonal = row[index] ?? 0;
    return Math.abs(diagonal) < 1e-12 ? 0 : (row[size] ?? 0) / diagonal;
  });
}

function findPivot(rows: readonly (readonly number[])[], column: number): number {
  let best = column;
  for (let row = column; row < rows.length; row++) {
    if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = row;
  }
  return best;
}
