import { type Cause, forbiddenCause, invalidCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateNotNegative } from './checks.ts';

/** The problems of a Lease. */
export function leaseCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const seconds = memberOf(spec, 'leaseDurationSeconds');
  return [
    ...(typeof seconds === 'number' && seconds <= 0
      ? [invalidCause('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
      : []),
    ...validateNotNegative('spec.leaseTransitions', memberOf(spec, 'leaseTransitions')),
    ...(jsonTextAt(spec, 'preferredHolder') !== '' && jsonTextAt(spec, 'strategy') === ''
      ? [forbiddenCause('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
      : []),
  ];
}
