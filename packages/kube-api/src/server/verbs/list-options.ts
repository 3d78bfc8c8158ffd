import { parseInt64, parseListVersion, parseSwitch } from '../../http/go-values.ts';
import { invalid, type StatusCause } from '../../http/status-error.ts';
import type { Call } from '../world.ts';
import { type Continuation, decodeContinue } from './continue-token.ts';

export type ListOptions = {
  /** How many objects at most; undefined for all. */
  readonly limit?: number;
  readonly continuation?: Continuation;
  /** Undefined when the newest state is wanted. */
  readonly version?: number;
  readonly match: string;
};

/** Reads and checks what a list may ask for, in the order in which a real server complains. */
export function listOptions({ info: { query } }: Call): ListOptions {
  const limit = parseInt64(query.get('limit'));
  parseInt64(query.get('timeoutSeconds'));
  refuseBadMatch(query);
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

function refuseBadMatch(query: URLSearchParams): void {
  const version = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const causes = [...matchCauses(match, version), ...initialEventsCauses(query)];
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes);
}

const field = 'resourceVersionMatch';

const forbiddenCause = (text: string, where = field): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${text}`,
  field: where,
});

function matchCauses(match: string, version: string): readonly StatusCause[] {
  if (match === '') return [];
  if (version === '') return [forbiddenCause('resourceVersionMatch is forbidden unless resourceVersion is provided')];
  if (match === 'Exact' && version === '0') {
    return [forbiddenCause('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')];
  }
  if (match === 'Exact' || match === 'NotOlderThan') return [];
  const message = `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`;
  return [{ reason: 'FieldValueNotSupported', message, field }];
}

const initialEventsCauses = (query: URLSearchParams): readonly StatusCause[] =>
  parseSwitch(query.get('sendInitialEvents'))
    ? [forbiddenCause('sendInitialEvents is forbidden for list', 'sendInitialEvents')]
    : [];
