/** Rows as a spreadsheet reads them: quoted, with a byte order mark, and no cell that is a formula. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((cells) => cells.map(quoted).join(',')).join('\r\n')}\r\n`;
}

function quoted(cell: string): string {
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
