import { parseInt64, parseListVersion, parseSwitch } from '../../http/go-values.ts';
import { invalidError, type StatusCause } from '../../http/status-error.ts';
import type { ResourceCall } from '../world.ts';
import { type Continuation, decodeContinue } from './continue-token.ts';

export type ListRequestOptions = {
  /** The page size; undefined for all objects. */
  readonly limit?: number;
  readonly continuation?: Continuation;
  /** Undefined for the newest state. */
  readonly version?: number;
  readonly match: string;
};

/** Parses the options of a list and checks them in the order of a real server. */
export function readListOptions({ info: { query } }: ResourceCall): ListRequestOptions {
  const limit = parseInt64(query.get('limit'));
  parseInt64(query.get('timeoutSeconds'));
  refuseBadListMatch(query);
  const token = query.get('continue') ?? '';
  const continuation = token === '' ? undefined : decodeContinue(token);
  const version = parseListVersion(query.get('resourceVersion'));
  return {
    ...(limit !== undefined && limit > 0 && { limit }),
    ...(continuation && { continuation }),
    ...(version !== undefined && { version }),
    match: query.get('resourceVersionMatch') ?? '',
  };
}

function refuseBadListMatch(query: URLSearchParams): void {
  const version = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const causes = [...listMatchCauses(match, version), ...initialEventsCauses(query)];
  if (causes.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes);
}

const listMatchField = 'resourceVersionMatch';

const forbiddenListCause = (text: string, where = listMatchField): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${text}`,
  field: where,
});

function listMatchCauses(match: string, version: string): readonly StatusCause[] {
  if (match === '') return [];
  if (version === '')
    return [forbiddenListCause('resourceVersionMatch is forbidden unless resourceVersion is provided')];
  if (match === 'Exact' && version === '0') {
    return [forbiddenListCause('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')];
  }
  if (match === 'Exact' || match === 'NotOlderThan') return [];
  const message = `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`;
  return [{ reason: 'FieldValueNotSupported', message, field: listMatchField }];
}

const initialEventsCauses = (query: URLSearchParams): readonly StatusCause[] =>
  parseSwitch(query.get('sendInitialEvents'))
    ? [forbiddenListCause('sendInitialEvents is forbidden for list', 'sendInitialEvents')]
    : [];
