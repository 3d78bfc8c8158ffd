import { readOwn } from '@nodewright/apis';
import { vcpuQuotas } from '../catalogue/vcpu-quotas.ts';
import { nodeBehaviors } from '../releases/release-kinds.ts';
import { categoryNames, findingStatuses, groupIssueCodes } from './eks-fault-names.ts';
import { type Fault, FaultError } from './fault.ts';
import { type FaultKind, faultKinds, findFaultKind, listFaultKinds } from './fault-kinds.ts';

type FaultFieldRule = {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
  /** The texts that it may be, where there is a list of them. */
  readonly choices?: readonly string[];
};

const textRule: FaultFieldRule = { wanted: 'text', holds: (value) => typeof value === 'string' && value !== '' };
const countRule: FaultFieldRule = {
  wanted: 'a whole number above 0',
  holds: (value) => Number.isInteger(value) && Number(value) > 0,
};
const oneOfRule = (values: readonly string[]): FaultFieldRule => ({
  wanted: `one of ${values.join(', ')}`,
  choices: values,
  holds: (value) => values.some((each) => each === value),
});
const patternRule = (wanted: string, pattern: RegExp): FaultFieldRule => ({
  wanted,
  holds: (value) => typeof value === 'string' && pattern.test(value),
});

/** Labels as a selector of pods has them. */
export const isLabelMap = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((each) => typeof each === 'string');

/** What a field may hold, whatever the kind of fault. Fields without an entry hold text. */
const rulesByField: ReadonlyMap<string, FaultFieldRule> = new Map([
  ['times', countRule],
  ['delayMs', countRule],
  ['lagMs', countRule],
  ['noticeMs', countRule],
  ['vcpus', countRule],
  ['quotaCode', oneOfRule(vcpuQuotas.map(({ code }) => code))],
  ['capacityType', { ...oneOfRule(['spot', 'on-demand']), wanted: 'spot or on-demand' }],
  ['category', oneOfRule(categoryNames)],
  ['status', oneOfRule(findingStatuses)],
  ['check', oneOfRule(['instance', 'system'])],
  ['behavior', oneOfRule(nodeBehaviors)],
  ['pods', { wanted: 'labels of pods such as {"app":"web"}', holds: isLabelMap }],
  ['instanceId', patternRule('the id of an instance, i-0123456789abcdef0', /^i-[0-9a-f]{8,17}$/)],
  ['capacityReservationId', patternRule('the id of a capacity reservation, cr-0123456789abcdef0', /^cr-[0-9a-z]+$/)],
  ['code', patternRule('an error code of AWS such as UnauthorizedOperation', /^[A-Za-z][\w.:]*$/)],
]);

const scheduledChangeCodes = [
  'instance-reboot',
  'system-reboot',
  'system-maintenance',
  'instance-retirement',
  'instance-stop',
];

/** The codes of kinds that have a list of their own. */
const codeRuleByKind: Partial<Readonly<Record<FaultKind, FaultFieldRule>>> = {
  'node-group-issue': oneOfRule(groupIssueCodes),
  'scheduled-change': oneOfRule(scheduledChangeCodes),
};

const ruleOfField = (kind: FaultKind, field: string): FaultFieldRule =>
  (field === 'code' ? codeRuleByKind[kind] : undefined) ?? rulesByField.get(field) ?? textRule;

/** Something wrong about one field of a fault. */
export type FaultFieldProblem = {
  readonly field: string;
  /** Without the name of the field: `is -1, wanted a whole number above 0`. */
  readonly message: string;
  /** What its value alone lacks: `a whole number above 0`. */
  readonly wanted?: string;
  readonly choices?: readonly string[];
};

/**
 * Reads a fault from parsed JSON: `{"kind":"throttle","service":"ec2","times":3}`.
 * @throws FaultError with every problem at once
 */
export function parseFault(json: unknown): Fault {
  const { kind: name, ...fields } = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  const kind = findFaultKind(name);
  if (kind === undefined)
    throw new FaultError(`kind is ${formatFaultValue(name)}, wanted one of ${listFaultKinds().join(', ')}`);
  const problems = [...listFaultProblems(kind, fields), ...listUnknownFields(kind, fields)];
  if (problems.length > 0) throw new FaultError(problems.map(({ field, message }) => `${field} ${message}`).join('; '));
  return { kind, ...fields } as Fault;
}

/** What is wrong about the fields that a kind has. Fields of other kinds are passed over. */
export function listFaultProblems(
  kind: FaultKind,
  fields: Readonly<Record<string, unknown>>,
): readonly FaultFieldProblem[] {
  const { required = [], optional = [] } = faultKinds[kind];
  const present = optional.filter((field) => readOwn(fields, field) !== undefined);
  return [
    ...[...required, ...present].flatMap((field) => {
      const value = readOwn(fields, field);
      const { holds, ...rule } = ruleOfField(kind, field);
      return holds(value) ? [] : [{ field, message: `is ${formatFaultValue(value)}, wanted ${rule.wanted}`, ...rule }];
    }),
    ...listPodProblems(kind, fields),
  ];
}

function listUnknownFields(kind: FaultKind, fields: Readonly<Record<string, unknown>>): readonly FaultFieldProblem[] {
  const { required = [], optional = [] } = faultKinds[kind];
  const known = [...required, ...optional];
  const has = known.length === 0 ? 'no fields' : known.join(', ');
  return Object.keys(fields)
    .filter((field) => !known.includes(field))
    .map((field) => ({ field, message: `is no field of ${kind}, which has ${has}` }));
}

const listPodProblems = (kind: FaultKind, fields: Readonly<Record<string, unknown>>): readonly FaultFieldProblem[] =>
  kind === 'node-behavior' && fields['pods'] !== undefined && fields['behavior'] !== 'containersFail'
    ? [
        {
          field: 'pods',
          message: `is for the behavior containersFail alone, and the behavior is ${formatFaultValue(fields['behavior'])}`,
        },
      ]
    : [];

const formatFaultValue = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value));
