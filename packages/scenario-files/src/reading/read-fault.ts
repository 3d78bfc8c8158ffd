import { type Fault, type FaultFieldProblem, listFaultProblems } from '@nodewright/aws-endpoints';
import { type FaultKind, faultKinds, findFaultKind, listFaultKinds } from '@nodewright/aws-endpoints/fault-kinds';
import { nearestKey } from '@nodewright/requirements';
import type { FieldReader } from './field-reader.ts';
import { readPodLabels } from './read-behavior.ts';
import type { NodeChoice, ScenarioAction } from './scenario-file.ts';

/** Fields in milliseconds that a scenario writes as durations without the unit in their names. */
const durationFields: ReadonlyMap<string, string> = new Map([
  ['delayMs', 'delay'],
  ['lagMs', 'lag'],
  ['noticeMs', 'notice'],
]);

/** The name of a fault's field in a scenario. */
const writtenName = (field: string): string => durationFields.get(field) ?? field;

/** A fault in the words of `nodewright sandbox fault add`, with `for` and, where it is about one instance, `nodes`. */
export function readFault(field: FieldReader): ScenarioAction | undefined {
  if (!field.isObject)
    return field.want('write an object such as {kind: insufficient-capacity, zone: us-east-1a, for: 1h}');
  const kindField = field.field('kind');
  const kind = findFaultKind(kindField.value);
  if (kind === undefined) return kindField.want(describeKinds(kindField));
  if (kind === 'latency')
    return kindField.refuse('is "latency"; a scenario runs on virtual time, where calls take no time');
  const { required = [], optional = [] } = faultKinds[kind];
  const isPerNode = optional.includes('instanceId');
  const own = [...required, ...optional].map(writtenName);
  field.refuseOthers(['kind', ...own, 'for', ...(isPerNode ? ['nodes', 'pool'] : [])], kind);
  const forField = field.field('for');
  const forMs = forField.isMissing ? undefined : forField.duration();
  const nodes = isPerNode ? readFaultyNodes(field) : undefined;
  const fault = readFaultFields(field, kind);
  if (fault === undefined) return undefined;
  return { do: 'fault', fault, ...(forMs !== undefined && { forMs }), ...(nodes && { nodes }) };
}

function describeKinds(field: FieldReader): string {
  const kinds = listFaultKinds().filter((kind) => kind !== 'latency');
  const meant = field.isText ? nearestKey(String(field.value), kinds) : undefined;
  return meant === undefined ? `write one of ${kinds.join(', ')}` : `did you mean ${meant}?`;
}

function readFaultyNodes(field: FieldReader): NodeChoice | undefined {
  const [nodes, pool] = [field.field('nodes'), field.field('pool')];
  const count = nodes.isMissing ? undefined : nodes.count();
  const name = pool.optionalText();
  if (count === undefined && name === undefined) return undefined;
  return { ...(count !== undefined && { count }), ...(name !== undefined && { pool: name }) };
}

/** The fields that the kind has; undefined when one of them is wrong. */
function readFaultFields(field: FieldReader, kind: FaultKind): Fault | undefined {
  const { required = [], optional = [] } = faultKinds[kind];
  const written = [...required, ...optional].filter((name) => !field.field(writtenName(name)).isMissing);
  const values = new Map(written.map((name) => [name, readFaultValue(field.field(writtenName(name)), name)]));
  const all = Object.fromEntries(values);
  const problems = listFaultProblems(kind, all).filter(
    ({ field: name }) => !(written.includes(name) && values.get(name) === undefined),
  );
  for (const problem of problems) refuseFaultField(field.field(writtenName(problem.field)), problem);
  return problems.length > 0 || [...values.values()].includes(undefined) ? undefined : ({ kind, ...all } as Fault);
}

/** Durations and labels are read; what else a kind wants is told of plain values. */
function readFaultValue(field: FieldReader, name: string): unknown {
  if (durationFields.has(name)) return field.duration();
  if (name === 'zone') return field.optionalZone();
  return name === 'pods' ? readPodLabels(field) : field.value;
}

function refuseFaultField(field: FieldReader, { message, wanted, choices = [] }: FaultFieldProblem): void {
  if (wanted === undefined) return field.refuse(message);
  const meant = field.isText ? nearestKey(String(field.value), choices) : undefined;
  const isDuration = [...durationFields.values()].some((name) => field.path.endsWith(`.${name}`));
  const remedy = isDuration ? 'write a duration such as 30s or 2m' : `write ${wanted}`;
  field.want(meant === undefined ? remedy : `did you mean ${meant}?`);
}
