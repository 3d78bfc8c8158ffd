import { readOwn } from '@nodewright/apis';
import { vcpuQuotas } from './ec2/vcpu-quotas.ts';
import { categoryNames, findingStatuses, groupIssueCodes } from './eks/fault-names.ts';
import { nodeBehaviors } from './releases/release.ts';
import { type Fault, FaultError } from './fault.ts';

type Rule = { readonly wanted: string; readonly holds: (value: unknown) => boolean; readonly required?: true };

const text: Rule = { wanted: 'text', holds: (value) => typeof value === 'string' && value !== '' };
const count: Rule = {
  wanted: 'a whole number above 0',
  holds: (value) => Number.isInteger(value) && Number(value) > 0,
};
const capacityType: Rule = {
  wanted: 'spot or on-demand',
  holds: (value) => value === 'spot' || value === 'on-demand',
};

const code: Rule = { wanted: 'an error code of AWS such as UnauthorizedOperation', holds: isCode, required: true };
const instanceId: Rule = { wanted: 'the id of an instance, i-0123456789abcdef0', holds: isInstanceId };
const reservationId: Rule = {
  wanted: 'the id of a capacity reservation, cr-0123456789abcdef0',
  holds: isReservationId,
};
const oneOf = (values: readonly string[]): Rule => ({
  wanted: `one of ${values.join(', ')}`,
  holds: (value) => values.some((each) => each === value),
});
const behavior: Rule = { ...oneOf(nodeBehaviors), required: true };
const calls = { service: text, operation: text };
const place = { instanceType: text, zone: text, capacityType };

const scheduledChangeCodes = [
  'instance-reboot',
  'system-reboot',
  'system-maintenance',
  'instance-retirement',
  'instance-stop',
];

const rules: Readonly<Record<Fault['kind'], Readonly<Record<string, Rule>>>> = {
  throttle: { ...calls, times: count },
  refusal: { ...calls, code, message: text, times: count },
  latency: { ...calls, delayMs: { ...count, required: true } },
  insufficientCapacity: place,
  launchFailure: { ...place, code, message: text },
  vcpuQuota: { vcpus: { ...count, required: true }, quotaCode: oneOf(vcpuQuotas.map(({ code: each }) => each)) },
  alarm: { name: { ...text, required: true } },
  noAddresses: { subnet: text },
  deny: calls,
  clusterUnreachable: {},
  nodeGroupIssue: { code: { ...oneOf(groupIssueCodes), required: true }, nodegroup: text, message: text },
  zonalShift: { zone: text },
  insight: { category: oneOf(categoryNames), status: oneOf(findingStatuses) },
  staleDescribes: { lagMs: { ...count, required: true } },
  spotInterruption: { instanceId, instanceType: text, zone: text, noticeMs: count },
  rebalanceRecommendation: { instanceId, instanceType: text, zone: text },
  reservationInterruption: { capacityReservationId: { ...reservationId, required: true }, noticeMs: count },
  scheduledChange: { code: oneOf(scheduledChangeCodes), instanceId, instanceType: text, zone: text },
  impairedInstance: { check: oneOf(['instance', 'system']), instanceId, instanceType: text, zone: text },
  nodeBehavior: { behavior, instanceId, ...place },
};

function isCode(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z][\w.:]*$/.test(value);
}

function isReservationId(value: unknown): boolean {
  return typeof value === 'string' && /^cr-[0-9a-z]+$/.test(value);
}

function isInstanceId(value: unknown): boolean {
  return typeof value === 'string' && /^i-[0-9a-f]{8,17}$/.test(value);
}

const kinds = Object.keys(rules);
const isKind = (kind: unknown): kind is Fault['kind'] => typeof kind === 'string' && kinds.includes(kind);

/**
 * Reads a fault as people write it, from parsed JSON: `{"kind":"throttle","service":"ec2","times":3}`.
 * @throws FaultError with every problem at once
 */
export function parseFault(json: unknown): Fault {
  const { kind, ...fields } = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  if (!isKind(kind)) throw new FaultError(`kind is ${shown(kind)}, wanted one of ${kinds.join(', ')}`);
  const problems = [
    ...Object.entries(rules[kind]).flatMap(([field, rule]) => problemOf(field, readOwn(fields, field), rule)),
    ...Object.keys(fields).flatMap((field) => strangerIn(kind, field)),
  ];
  if (problems.length > 0) throw new FaultError(problems.join('; '));
  return { kind, ...fields } as Fault;
}

function problemOf(field: string, value: unknown, { wanted, holds, required }: Rule): readonly string[] {
  if (value === undefined && required === undefined) return [];
  return holds(value) ? [] : [`${field} is ${shown(value)}, wanted ${wanted}`];
}

const strangerIn = (kind: Fault['kind'], field: string): readonly string[] =>
  Object.hasOwn(rules[kind], field)
    ? []
    : [`${field} is no field of ${kind}, which has ${Object.keys(rules[kind]).join(', ')}`];

const shown = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value));
