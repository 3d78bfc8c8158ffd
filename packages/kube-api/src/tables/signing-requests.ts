import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, defineColumn, nameAndColumns, printDuration, type TableColumns } from './columns.ts';
import { readList, readNumber, readPath, readText } from './reading.ts';

/** What has become of a request for a certificate: a denial comes before an approval. */
function conditionText(request: ApiObject): string {
  const types = readList(request, 'status.conditions').map(({ type }) => type);
  const isDecided = types.includes('Approved') || types.includes('Denied');
  return [
    types.includes('Denied') ? 'Denied' : isDecided ? 'Approved' : 'Pending',
    ...(types.includes('Failed') ? ['Failed'] : []),
    ...(readText(request, 'status.certificate') === '' ? [] : ['Issued']),
  ].join(',');
}

const requestedDuration = (request: ApiObject): string =>
  readPath(request, 'spec.expirationSeconds') === undefined
    ? '<none>'
    : printDuration(readNumber(request, 'spec.expirationSeconds'));

export const signingRequestColumns: TableColumns = nameAndColumns(
  ageColumn,
  defineColumn('SignerName', (request) => readText(request, 'spec.signerName', '<none>')),
  defineColumn('Requestor', (request) => readText(request, 'spec.username')),
  defineColumn('RequestedDuration', requestedDuration),
  defineColumn('Condition', conditionText),
);
