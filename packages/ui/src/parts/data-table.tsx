import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { compareTableValues, formatTsv, matchesFilter, type TableValue } from './table-text.ts';

export type DataColumn<Row> = {
  readonly title: string;
  /** What it is sorted, filtered and copied by. */
  readonly value: (row: Row) => TableValue;
  /** How it is drawn, where that is not its value. */
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

type Sorting = { readonly column: number; readonly isDescending: boolean };

/** More rows than people read are drawn when they are asked for. */
const rowsAtOnce = 200;

/** A table that is sorted by its headings, filtered by words, and copied as tab-separated values. */
export function DataTable<Row extends { readonly id: string }>(props: DataTableProps<Row>) {
  const { title, columns, rows, empty, sortedBy } = props;
  const [filter, setFilter] = useState('');
  const [sorting, setSorting] = useState<Sorting>(() => ({
    column: sortedBy === undefined ? 0 : columns.findIndex((column) => column.title === sortedBy),
    isDescending: false,
  }));
  const [most, setMost] = useState(rowsAtOnce);
  if (rows.length === 0) return <EmptyTable title={title} words={empty} />;
  const chosen = sortRows(
    filter.trim() === ''
      ? rows
      : rows.filter((row) =>
          matchesFilter(
            columns.map(({ value }) => value(row)),
            filter,
          ),
        ),
    columns[sorting.column],
    sorting,
  );
  const copy = (): string =>
    formatTsv(
      columns.map((column) => column.title),
      chosen.map((row) => columns.map(({ value }) => value(row))),
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
              <tr key={row.id}>
                {columns.map((column) => (
                  <Cell key={column.title} column={column} row={row} />
                ))}
              </tr>
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

const EmptyTable = ({ title, words }: { readonly title: string; readonly words: string }) => (
  <section class="table-section" aria-label={title}>
    <h2>{title}</h2>
    <p class="empty">{words}</p>
  </section>
);

type CellProps<Row> = { readonly column: DataColumn<Row>; readonly row: Row };

function Cell<Row>({ column: { title, value, draw, isNumber, isProse, isBrief }, row }: CellProps<Row>) {
  const shown = draw === undefined ? value(row) : draw(row);
  const className = isNumber === true ? 'number' : isProse === true ? 'prose' : isBrief === true ? 'brief' : '';
  return (
    <td data-title={title} class={className} {...(isBrief === true ? { title: String(value(row) ?? '') } : {})}>
      {isBrief === true ? <span>{shown}</span> : shown}
    </td>
  );
}

function sortRows<Row>(rows: readonly Row[], column: DataColumn<Row> | undefined, { isDescending }: Sorting) {
  if (column === undefined) return rows;
  const sorted = rows.toSorted((a, b) => compareTableValues(column.value(a), column.value(b)));
  return isDescending ? sorted.toReversed() : sorted;
}

type HeadingProps<Row> = {
  readonly column: DataColumn<Row>;
  readonly index: number;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
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
