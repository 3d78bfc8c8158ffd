import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateCountOrShare, validateShareLimit } from './count-or-share.ts';

/** The problems of the strategy of a Deployment. */
export function deploymentUpdateCauses(strategy: JsonValue | undefined, field: string): Cause[] {
  const rolling = memberOf(strategy, 'rollingUpdate');
  const type = jsonTextAt(strategy, 'type');
  switch (type) {
    case 'Recreate':
      return rolling === undefined
        ? []
        : [forbiddenCause(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      return deploymentRollingCauses(rolling, `${field}.rollingUpdate`);
    default:
      return [notSupportedCause(field, strategy ?? null, ['Recreate', 'RollingUpdate'])];
  }
}

function deploymentRollingCauses(rolling: JsonValue | undefined, field: string): Cause[] {
  const [unavailable, surge] = [memberOf(rolling, 'maxUnavailable'), memberOf(rolling, 'maxSurge')];
  return [
    ...validateCountOrShare(`${field}.maxUnavailable`, unavailable),
    ...validateCountOrShare(`${field}.maxSurge`, surge),
    ...(isNoPod(unavailable) && isNoPod(surge)
      ? [invalidCause(`${field}.maxUnavailable`, unavailable ?? 0, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...validateShareLimit(`${field}.maxUnavailable`, unavailable),
  ];
}

/** The problems of the update strategy of a DaemonSet. */
export function daemonSetUpdateCauses(strategy: JsonValue | undefined, field: string): Cause[] {
  const type = jsonTextAt(strategy, 'type');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [notSupportedCause(field, strategy ?? null, ['RollingUpdate', 'OnDelete'])];
  return daemonSetRollingCauses(memberOf(strategy, 'rollingUpdate'), `${field}.rollingUpdate`);
}

function daemonSetRollingCauses(rolling: JsonValue | undefined, field: string): Cause[] {
  const [unavailable, surge] = [memberOf(rolling, 'maxUnavailable'), memberOf(rolling, 'maxSurge')];
  return [
    ...validateCountOrShare(`${field}.maxUnavailable`, unavailable),
    ...validateCountOrShare(`${field}.maxSurge`, surge),
    ...validateShareLimit(`${field}.maxUnavailable`, unavailable),
    ...validateShareLimit(`${field}.maxSurge`, surge),
    ...(!isNoPod(unavailable) && !isNoPod(surge)
      ? [invalidCause(`${field}.maxSurge`, surge ?? 0, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(isNoPod(unavailable) && isNoPod(surge)
      ? [requiredCause(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]
      : []),
  ];
}

const isNoPod = (value: JsonValue | undefined): boolean =>
  value === undefined || value === 0 || (typeof value === 'string' && !(Number.parseInt(value, 10) > 0));
