import { byValueOf } from '@nodewright/apis';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { replaceAddress } from '../live/page-location.ts';
import { CopyButton } from './copy-button.tsx';
import { DrawnOnce } from './drawn-once.ts';
import { clockContext, placeContext, useAddress } from './page-context.ts';
import { nameTableChoices, readTableChoices, type TableSorting, writeTableSorting } from './table-choices.ts';
import { compareTableValues, formatTsv, matchesFilter, type TableValue } from './table-text.ts';

export type DataColumn<Row> = {
  readonly title: string;
  /** What its values are called where they are copied, with their unit [the title]. */
  readonly copiedTitle?: string;
  /** What it is sorted, filtered and copied by, at a time of the cluster. */
  readonly value: (row: Row, at: string) => TableValue;
  /** How it is drawn, where that is not its value: needed where the value depends on the time. */
  readonly draw?: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Sentences: they are broken into lines, everything else is not. */
  readonly isProse?: boolean;
  /** Sentences of which the beginning is shown in one line; pointing at it shows all of it. */
  readonly isBrief?: boolean;
};

type DataTableProps<Row> = {
  readonly title: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  /** What is written in place of an empty table. */
  readonly empty: string;
  /** What it is sorted by until a person chooses: the title of a column; as it comes where there is no such column [the first]. */
  readonly sortedBy?: string;
};

/** More rows than people read are drawn when they are asked for. */
const rowsAtOnce = 100;

/**
 * A table that is sorted by its headings, filtered by words, and copied as tab-separated values. A row is drawn again when it
 * is another object: its columns stay the same.
 */
export function DataTable<Row extends { readonly id: string }>(props: DataTableProps<Row>) {
  const { title, columns, rows, empty, sortedBy } = props;
  const at = useContext(clockContext);
  const { filter, sorting, setFilter, keepFilter, setSorting } = useTableChoices(title, columns, sortedBy);
  const [most, setMost] = useState(rowsAtOnce);
  if (rows.length === 0) return <EmptyTable title={title} words={empty} />;
  const chosen = sortRows(
    filter.trim() === ''
      ? rows
      : rows.filter((row) =>
          matchesFilter(
            columns.map(({ value }) => value(row, at)),
            filter,
          ),
        ),
    columns[sorting.column],
    { ...sorting, at },
  );
  const copy = (): string =>
    formatTsv(
      columns.map((column) => column.copiedTitle ?? column.title),
      chosen.map((row) => columns.map(({ value }) => value(row, at))),
    );
  return (
    <section class="table-section" aria-label={title}>
      <div class="table-tools">
        <h2>{title}</h2>
        <input
          type="search"
          placeholder="Filter"
          aria-label={`Filter ${title}`}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          onChange={({ currentTarget }) => keepFilter(currentTarget.value)}
        />
        <CopyButton text={copy} label="Copy as TSV" name={`Copy as TSV: ${title}`} />
      </div>
      <div class="table-scroll" tabIndex={0} role="region" aria-label={`Rows of ${title}`}>
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <Heading key={column.title} column={column} index={index} sorting={sorting} onSort={setSorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {chosen.slice(0, most).map((row) => (
              <TableRow key={row.id} columns={columns} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {chosen.length > most && (
        <button type="button" onClick={() => setMost(most + rowsAtOnce)}>
          Show more: {chosen.length - most} rows are left
        </button>
      )}
    </section>
  );
}

type ChosenTable = {
  readonly filter: string;
  readonly sorting: TableSorting;
  readonly setFilter: (filter: string) => void;
  readonly keepFilter: (filter: string) => void;
  readonly setSorting: (sorting: TableSorting) => void;
};

/** What is chosen stands in the address, so that it can be sent. Words are written there once the reader leaves the field. */
function useTableChoices<Row>(
  title: string,
  columns: readonly DataColumn<Row>[],
  sortedBy: string | undefined,
): ChosenTable {
  const { query } = useContext(placeContext);
  const address = useAddress();
  const titles = columns.map((column) => column.title);
  const column = sortedBy === undefined ? 0 : titles.indexOf(sortedBy);
  const table = { columns: titles, first: { column, isDescending: false } };
  const known = readTableChoices(query, title, table);
  const [filter, setFilter] = useState(known.filter);
  useEffect(() => setFilter(known.filter), [known.filter]);
  return {
    filter,
    sorting: known.sorting,
    setFilter,
    keepFilter: (words) => replaceAddress(address({ [nameTableChoices(title).filter]: words.trim() })),
    setSorting: (sorting) => replaceAddress(address(writeTableSorting(sorting, title, table))),
  };
}

const EmptyTable = ({ title, words }: { readonly title: string; readonly words: string }) => (
  <section class="table-section" aria-label={title}>
    <h2>{title}</h2>
    <p class="empty">{words}</p>
  </section>
);

type RowProps<Row> = { readonly columns: readonly DataColumn<Row>[]; readonly row: Row };

class TableRow<Row extends { readonly id: string }> extends DrawnOnce<RowProps<Row>> {
  override render() {
    const { columns, row } = this.props;
    return (
      <tr>
        {columns.map((column) => (
          <Cell key={column.title} column={column} row={row} />
        ))}
      </tr>
    );
  }
}

type CellProps<Row> = { readonly column: DataColumn<Row>; readonly row: Row };

/** For values that depend on no time. */
const undated = '';

function Cell<Row>({ column: { title, value, draw, isNumber, isProse, isBrief }, row }: CellProps<Row>) {
  const shown = draw === undefined ? value(row, undated) : draw(row);
  const className = isNumber === true ? 'number' : isProse === true ? 'prose' : isBrief === true ? 'brief' : '';
  return (
    <td
      data-title={title}
      class={className}
      {...(isBrief === true ? { title: String(value(row, undated) ?? '') } : {})}
    >
      {isBrief === true ? <span>{shown}</span> : shown}
    </td>
  );
}

type SortingMoment = TableSorting & { readonly at: string };

function sortRows<Row>(
  rows: readonly Row[],
  column: DataColumn<Row> | undefined,
  { isDescending, at }: SortingMoment,
): readonly Row[] {
  if (column === undefined) return rows;
  const sorted = rows.toSorted(byValueOf((row) => column.value(row, at), compareTableValues));
  return isDescending ? sorted.toReversed() : sorted;
}

type HeadingProps<Row> = {
  readonly column: DataColumn<Row>;
  readonly index: number;
  readonly sorting: TableSorting;
  readonly onSort: (sorting: TableSorting) => void;
};

function Heading<Row>({ column, index, sorting, onSort }: HeadingProps<Row>) {
  const isSorted = sorting.column === index;
  const direction = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none';
  const mark = isSorted ? (sorting.isDescending ? ' ▼' : ' ▲') : '';
  const sort = (): void => onSort({ column: index, isDescending: isSorted && !sorting.isDescending });
  return (
    <th aria-sort={direction} scope="col" class={column.isNumber === true ? 'number' : ''}>
      <button type="button" onClick={sort}>
        {column.title}
        <span aria-hidden="true">{mark}</span>
      </button>
    </th>
  );
}
