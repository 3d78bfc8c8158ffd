/** One line of text that is exactly so wide; what does not fit ends with an ellipsis. */
export const fitText = (text: string, width: number): string =>
  text.length <= width ? text.padEnd(width) : width <= 1 ? text.slice(0, width) : `${text.slice(0, width - 1)}…`;

/** Lines of whole words, each at most so wide, all but the first behind an indent; a word that is wider is divided. */
export function breakLines(text: string, width: number, indent: string): readonly string[] {
  const room = Math.max(1, width - indent.length);
  const lines: string[] = [];
  for (const word of text.split(' ').flatMap((each) => divideWord(each, room))) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, index) => (index === 0 ? line : indent + line));
}

const divideWord = (word: string, width: number): readonly string[] =>
  word.length <= width ? [word] : [word.slice(0, width), ...divideWord(word.slice(width), width)];

/** `████░░░░ 50%`: the share as a bar and as a number, readable without colour. */
export function drawUseBar(percent: number, width: number): string {
  const full = Math.max(0, Math.min(width, Math.round((percent / 100) * width)));
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${`${percent}%`.padStart(4)}`;
}

export type TextColumn<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** The least width at which the column is worth its place; it is left out where the line is too narrow. */
  readonly least: number;
  /** The higher, the later it is left out. */
  readonly weight: number;
};

/**
 * Lays rows out in columns as wide as their content. Where the lines would be wider than `width`, the columns of the least
 * weight are left out, and then the widest ones are cut, each down to its least width at most.
 */
export function layOutColumns<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number,
): { readonly header: string; readonly lines: readonly string[] } {
  const chosen = chooseColumns(columns, width);
  const texts = rows.map((row) => chosen.map(({ cell }) => cell(row)));
  const widths = narrowColumns(
    chosen.map(({ title, least }, at) => ({
      least,
      wanted: texts.reduce((most, cells) => Math.max(most, cells[at]?.length ?? 0), title.length),
    })),
    width,
  );
  const join = (cells: readonly string[]): string => {
    const line = cells
      .map((cell, at) => fitText(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd();
    return line.length <= width ? line : fitText(line, width);
  };
  return { header: join(chosen.map(({ title }) => title)), lines: texts.map(join) };
}

type ColumnWidth = { readonly least: number; readonly wanted: number };

const gap = 2;

/** How wide each column is: the one that has most beyond its least width gives way first. */
function narrowColumns(columns: readonly ColumnWidth[], width: number): readonly number[] {
  const widths = columns.map(({ wanted }) => wanted);
  const beyond = (at: number): number => (widths[at] ?? 0) - (columns[at]?.least ?? 0);
  let excess = widths.reduce((sum, each) => sum + each + gap, -gap) - width;
  while (excess > 0) {
    const widest = widths.reduce((best, _, at) => (beyond(at) > beyond(best) ? at : best), 0);
    if (beyond(widest) <= 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function chooseColumns<Row>(columns: readonly TextColumn<Row>[], width: number): readonly TextColumn<Row>[] {
  let chosen = columns;
  const leastWidth = (): number => chosen.reduce((sum, { least }) => sum + least + gap, -gap);
  while (chosen.length > 1 && leastWidth() > width) {
    const lightest = Math.min(...chosen.map(({ weight }) => weight));
    const at = chosen.findLastIndex(({ weight }) => weight === lightest);
    chosen = chosen.filter((_, index) => index !== at);
  }
  return chosen;
}
