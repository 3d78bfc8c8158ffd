import { categoryNames, findingStatuses, groupIssueCodes } from './eks/fault-names.ts';
import type { Fault } from './faults.ts';

/** A fault that cannot be used; the message names each field, its value and what would be right. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
}

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

const oneOf = (values: readonly string[]): Rule => ({
  wanted: `one of ${values.join(', ')}`,
  holds: (value) => values.some((each) => each === value),
});

const rules: Readonly<Record<Fault['kind'], Readonly<Record<string, Rule>>>> = {
  throttle: { service: text, operation: text, times: count },
  latency: { service: text, operation: text, delayMs: { ...count, required: true } },
  insufficientCapacity: { instanceType: text, zone: text, capacityType },
  vcpuQuota: { vcpus: { ...count, required: true } },
  noAddresses: { subnet: text },
  deny: { service: text, operation: text },
  clusterUnreachable: {},
  nodeGroupIssue: { code: { ...oneOf(groupIssueCodes), required: true }, nodegroup: text, message: text },
  insight: { category: oneOf(categoryNames), status: oneOf(findingStatuses) },
};

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
    ...Object.entries(rules[kind]).flatMap(([field, rule]) => problemOf(field, fields[field], rule)),
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
  field in rules[kind] ? [] : [`${field} is no field of ${kind}, which has ${Object.keys(rules[kind]).join(', ')}`];

const shown = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value));
