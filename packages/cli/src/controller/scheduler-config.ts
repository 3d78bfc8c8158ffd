import { readOwn } from '@nodewright/apis';
import type { DefaultSpreadConstraint } from '@nodewright/engine';
import { parseDocument } from 'yaml';
import type { SettingReader } from './readings.ts';

/** The constraints of `podTopologySpread.defaultConstraints` in YAML or JSON; an empty text has none. */
export const schedulerConfig: SettingReader<readonly DefaultSpreadConstraint[]> = (text) => {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new Error(`must be YAML or JSON: ${error.message.split('\n')[0]}`);
  const whole = objectAt('scheduler config', document.toJS() ?? {}, ['podTopologySpread']);
  const spread = objectAt('podTopologySpread', whole['podTopologySpread'] ?? {}, ['defaultConstraints']);
  const constraints = spread['defaultConstraints'] ?? [];
  if (!Array.isArray(constraints)) throw new Error(`${listField} must be a list, not ${JSON.stringify(constraints)}`);
  const read = constraints.map(constraintAt);
  const keys = read.map(({ topologyKey, whenUnsatisfiable }) => `${topologyKey} with ${whenUnsatisfiable}`);
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index);
  if (repeated !== undefined) throw new Error(`${listField} has ${repeated} twice; once is right`);
  return read;
};

const listField = 'podTopologySpread.defaultConstraints';

function objectAt(field: string, value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${field} must be an object, not ${JSON.stringify(value)}`);
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${field}.${unknown} is not known; known are ${known.join(', ')}`);
  return { ...value };
}

const constraintChecks: Readonly<
  Record<string, { readonly isRight: (value: unknown) => boolean; readonly right: string }>
> = {
  maxSkew: { isRight: isAtLeastOne, right: 'a whole number from 1' },
  topologyKey: { isRight: (value) => typeof value === 'string' && labelKey.test(value), right: 'a label key' },
  whenUnsatisfiable: expectOneOf('DoNotSchedule', 'ScheduleAnyway'),
  minDomains: { isRight: isAtLeastOne, right: 'a whole number from 1' },
  nodeAffinityPolicy: expectOneOf('Honor', 'Ignore'),
  nodeTaintsPolicy: expectOneOf('Honor', 'Ignore'),
};
const requiredFields = ['maxSkew', 'topologyKey', 'whenUnsatisfiable'] as const;
const deduced = ['labelSelector', 'matchLabelKeys'] as const;

/** An optional domain, then a name of at most 63 characters. */
const labelKey = /^([a-z\d]([-a-z\d]*[a-z\d])?(\.[a-z\d]([-a-z\d]*[a-z\d])?)*\/)?[A-Za-z\d]([-\w.]{0,61}[A-Za-z\d])?$/;

function constraintAt(value: unknown, index: number): DefaultSpreadConstraint {
  const field = `${listField}[${index}]`;
  const constraint = objectAt(field, value, [...Object.keys(constraintChecks), ...deduced]);
  for (const name of deduced) {
    if (constraint[name] !== undefined) throw new Error(`${field}.${name} must be absent: it is deduced for every pod`);
  }
  for (const [name, { isRight, right }] of Object.entries(constraintChecks)) {
    const found = readOwn(constraint, name);
    if (found === undefined && !requiredFields.some((other) => other === name)) continue;
    if (!isRight(found)) throw new Error(`${field}.${name} must be ${right}, not ${JSON.stringify(found)}`);
  }
  return constraint as DefaultSpreadConstraint;
}

function isAtLeastOne(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1;
}

function expectOneOf(...words: readonly string[]) {
  return { isRight: (value: unknown) => words.some((word) => word === value), right: words.join(' or ') };
}
