import { readOwn } from '@nodewright/apis';
import { vcpuQuotas } from '../catalogue/vcpu-quotas.ts';
import { categoryNames, findingStatuses, groupIssueCodes } from './eks-fault-names.ts';
import { nodeBehaviors } from '../releases/release.ts';
import { type Fault, FaultError } from './fault.ts';

type FaultFieldRule = {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
  readonly required?: true;
};

const textRule: FaultFieldRule = { wanted: 'text', holds: (value) => typeof value === 'string' && value !== '' };
const countRule: FaultFieldRule = {
  wanted: 'a whole number above 0',
  holds: (value) => Number.isInteger(value) && Number(value) > 0,
};
const capacityType: FaultFieldRule = {
  wanted: 'spot or on-demand',
  holds: (value) => value === 'spot' || value === 'on-demand',
};

const code: FaultFieldRule = {
  wanted: 'an error code of AWS such as UnauthorizedOperation',
  holds: isCode,
  required: true,
};
const instanceId: FaultFieldRule = { wanted: 'the id of an instance, i-0123456789abcdef0', holds: isInstanceId };
const reservationId: FaultFieldRule = {
  wanted: 'the id of a capacity reservation, cr-0123456789abcdef0',
  holds: isReservationId,
};
const oneOfRule = (values: readonly string[]): FaultFieldRule => ({
  wanted: `one of ${values.join(', ')}`,
  holds: (value) => values.some((each) => each === value),
});
const behavior: FaultFieldRule = { ...oneOfRule(nodeBehaviors), required: true };
const calls = { service: textRule, operation: textRule };
const place = { instanceType: textRule, zone: textRule, capacityType };

const scheduledChangeCodes = [
  'instance-reboot',
  'system-reboot',
  'system-maintenance',
  'instance-retirement',
  'instance-stop',
];

const faultFieldRules: Readonly<Record<Fault['kind'], Readonly<Record<string, FaultFieldRule>>>> = {
  throttle: { ...calls, times: countRule },
  refusal: { ...calls, code, message: textRule, times: countRule },
  latency: { ...calls, delayMs: { ...countRule, required: true } },
  insufficientCapacity: place,
  launchFailure: { ...place, code, message: textRule },
  vcpuQuota: {
    vcpus: { ...countRule, required: true },
    quotaCode: oneOfRule(vcpuQuotas.map(({ code: each }) => each)),
  },
  alarm: { name: { ...textRule, required: true } },
  noAddresses: { subnet: textRule },
  deny: calls,
  clusterUnreachable: {},
  nodeGroupIssue: { code: { ...oneOfRule(groupIssueCodes), required: true }, nodegroup: textRule, message: textRule },
  zonalShift: { zone: textRule },
  insight: { category: oneOfRule(categoryNames), status: oneOfRule(findingStatuses) },
  staleDescribes: { lagMs: { ...countRule, required: true } },
  spotInterruption: { instanceId, instanceType: textRule, zone: textRule, noticeMs: countRule },
  rebalanceRecommendation: { instanceId, instanceType: textRule, zone: textRule },
  reservationInterruption: { capacityReservationId: { ...reservationId, required: true }, noticeMs: countRule },
  scheduledChange: { code: oneOfRule(scheduledChangeCodes), instanceId, instanceType: textRule, zone: textRule },
  impairedInstance: { check: oneOfRule(['instance', 'system']), instanceId, instanceType: textRule, zone: textRule },
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

const faultKinds = Object.keys(faultFieldRules);
const isKind = (kind: unknown): kind is Fault['kind'] => typeof kind === 'string' && faultKinds.includes(kind);

/**
 * Reads a fault as people write it, from parsed JSON: `{"kind":"throttle","service":"ec2","times":3}`.
 * @throws FaultError with every problem at once
 */
export function parseFault(json: unknown): Fault {
  const { kind, ...fields } = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  if (!isKind(kind)) throw new FaultError(`kind is ${formatFaultValue(kind)}, wanted one of ${faultKinds.join(', ')}`);
  const problems = [
    ...Object.entries(faultFieldRules[kind]).flatMap(([field, rule]) =>
      listFaultFieldProblems(field, readOwn(fields, field), rule),
    ),
    ...Object.keys(fields).flatMap((field) => listUnknownFieldProblems(kind, field)),
  ];
  if (problems.length > 0) throw new FaultError(problems.join('; '));
  return { kind, ...fields } as Fault;
}

function listFaultFieldProblems(
  field: string,
  value: unknown,
  { wanted, holds, required }: FaultFieldRule,
): readonly string[] {
  if (value === undefined && required === undefined) return [];
  return holds(value) ? [] : [`${field} is ${formatFaultValue(value)}, wanted ${wanted}`];
}

const listUnknownFieldProblems = (kind: Fault['kind'], field: string): readonly string[] =>
  Object.hasOwn(faultFieldRules[kind], field)
    ? []
    : [`${field} is no field of ${kind}, which has ${Object.keys(faultFieldRules[kind]).join(', ')}`];

const formatFaultValue = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value));
