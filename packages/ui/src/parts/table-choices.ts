/** What the reader of a table has chosen, as the address of the page has it. */
export type TableChoices = { readonly filter: string; readonly sorting: TableSorting };

export type TableSorting = { readonly column: number; readonly isDescending: boolean };

/** Of a table in an address: a view may have several tables. */
type ChoiceNames = { readonly filter: string; readonly sort: string };

export function nameTableChoices(title: string): ChoiceNames {
  const table = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return { filter: `${table}.filter`, sort: `${table}.sort` };
}

/** A column is named by its title, after a minus where the last comes first. A title that no column has counts for nothing. */
export function readTableChoices(
  query: URLSearchParams,
  title: string,
  { columns, first }: { readonly columns: readonly string[]; readonly first: TableSorting },
): TableChoices {
  const names = nameTableChoices(title);
  const asked = query.get(names.sort) ?? '';
  const isDescending = asked.startsWith('-');
  const column = columns.indexOf(isDescending ? asked.slice(1) : asked);
  return { filter: query.get(names.filter) ?? '', sorting: column < 0 ? first : { column, isDescending } };
}

/** What changes in an address with a choice: nothing stands there for what is so without one. */
export function writeTableSorting(
  { column, isDescending }: TableSorting,
  title: string,
  { columns, first }: { readonly columns: readonly string[]; readonly first: TableSorting },
): Readonly<Record<string, string>> {
  const isFirst = column === first.column && isDescending === first.isDescending;
  return { [nameTableChoices(title).sort]: isFirst ? '' : `${isDescending ? '-' : ''}${columns[column] ?? ''}` };
}
