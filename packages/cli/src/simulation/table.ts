/** Columns as wide as their widest cell, two spaces apart, nothing after the last. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
