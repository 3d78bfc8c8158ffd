import { parseInt64, parseSwitch, parseVersion } from '../../http/go-values.ts';
import { invalid, type StatusCause } from '../../http/status-error.ts';
import type { Call } from '../world.ts';

export type WatchOptions = {
  /** Undefined and 0 both begin with what is there. */
  readonly version?: number;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds?: number;
};

export function watchOptions({ info: { query } }: Call): WatchOptions {
  const timeoutSeconds = parseInt64(query.get('timeoutSeconds'));
  refuseBadMatch(query);
  const version = parseVersion(query.get('resourceVersion'));
  return {
    ...(version !== undefined && { version }),
    allowBookmarks: parseSwitch(query.get('allowWatchBookmarks')),
    sendInitialEvents: parseSwitch(query.get('sendInitialEvents')),
    ...(timeoutSeconds !== undefined && timeoutSeconds > 0 && { timeoutSeconds }),
  };
}

const field = 'resourceVersionMatch';

function refuseBadMatch(query: URLSearchParams): void {
  const causes = matchCauses(query.get(field) ?? '', query.has('sendInitialEvents'));
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes);
}

const forbidden = (text: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${text}`,
  field,
});

function matchCauses(match: string, sendsInitialEvents: boolean): readonly StatusCause[] {
  if (match === '') {
    return sendsInitialEvents
      ? [forbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : [];
  }
  return [
    ...(sendsInitialEvents
      ? []
      : [forbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]),
    ...(match === 'NotOlderThan' ? [] : [unsupported(match)]),
  ];
}

const unsupported = (match: string): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${JSON.stringify(match)}: supported values: "NotOlderThan"`,
  field,
});
