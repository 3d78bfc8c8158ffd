import { parseInt64, parseSwitch, parseVersion } from '../../http/go-values.ts';
import { invalidError, type StatusCause } from '../../http/status-error.ts';
import type { ResourceCall } from '../world.ts';

export type WatchRequestOptions = {
  /** Undefined and 0 both begin with the current objects. */
  readonly version?: number;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds?: number;
};

export function readWatchOptions({ info: { query } }: ResourceCall): WatchRequestOptions {
  const timeoutSeconds = parseInt64(query.get('timeoutSeconds'));
  refuseBadWatchMatch(query);
  const version = parseVersion(query.get('resourceVersion'));
  return {
    ...(version !== undefined && { version }),
    allowBookmarks: parseSwitch(query.get('allowWatchBookmarks')),
    sendInitialEvents: parseSwitch(query.get('sendInitialEvents')),
    ...(timeoutSeconds !== undefined && timeoutSeconds > 0 && { timeoutSeconds }),
  };
}

const watchMatchField = 'resourceVersionMatch';

function refuseBadWatchMatch(query: URLSearchParams): void {
  const causes = watchMatchCauses(query.get(watchMatchField) ?? '', query.has('sendInitialEvents'));
  if (causes.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes);
}

const forbiddenMatchCause = (text: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${text}`,
  field: watchMatchField,
});

function watchMatchCauses(match: string, sendsInitialEvents: boolean): readonly StatusCause[] {
  if (match === '') {
    return sendsInitialEvents
      ? [forbiddenMatchCause('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : [];
  }
  return [
    ...(sendsInitialEvents
      ? []
      : [forbiddenMatchCause('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]),
    ...(match === 'NotOlderThan' ? [] : [unsupportedMatchCause(match)]),
  ];
}

const unsupportedMatchCause = (match: string): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${JSON.stringify(match)}: supported values: "NotOlderThan"`,
  field: watchMatchField,
});
