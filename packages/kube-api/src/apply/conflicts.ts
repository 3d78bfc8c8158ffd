import { byText, byTextOf, inOrder, byNumberOf } from '@nodewright/apis';
import type { Cause } from '../schema/cause.ts';
import { printPath } from './field-path.ts';
import type { FieldSet } from './field-set.ts';
import type { FieldManager } from './managed-fields.ts';

/** Fields that another manager owns and that an apply would change. */
export type Conflict = { readonly manager: FieldManager; readonly fields: FieldSet };

/** The message and the causes of the 409 that answers an apply without force. */
export function printConflicts(conflicts: readonly Conflict[]): { message: string; causes: Cause[] } {
  const rows = conflicts.flatMap(({ manager, fields }) =>
    fields.paths().map((path) => ({ owner: printManager(manager), field: printPath(path), depth: path.length })),
  );
  const owners = [...new Set(rows.map(({ owner }) => owner))].toSorted(byText);
  const groups = owners.map((owner) =>
    printGroup(
      owner,
      rows.filter((row) => row.owner === owner).map((row) => row.field),
    ),
  );
  const [only] = rows;
  const text =
    rows.length === 1 && only !== undefined
      ? `conflict: conflict with ${only.owner}: ${only.field}`
      : `conflicts: ${groups.join('\n')}`;
  return {
    message: `Apply failed with ${rows.length} ${text}`,
    causes: rows.toSorted(compareRows).map(({ owner, field }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${owner}`,
      field,
    })),
  };
}

const printGroup = (owner: string, fields: readonly string[]): string =>
  [`conflicts with ${owner}:`, ...fields.map((field) => `- ${field}`)].join('\n');

function printManager({ manager, operation, apiVersion, subresource }: FieldManager): string {
  const through = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(manager)}${through}${using}`;
}

type ConflictRow = { readonly owner: string; readonly field: string; readonly depth: number };

const compareRows = inOrder<ConflictRow>(
  byNumberOf(({ depth }) => depth),
  byTextOf(({ field }) => field),
);
