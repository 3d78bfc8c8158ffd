import { isAge, parseAge } from '@nodewright/apis';
import { parseFault } from '@nodewright/aws-endpoints';
import { faultKinds, findFaultKind, listFaultKinds } from '@nodewright/aws-endpoints/fault-kinds';
import { nearestKey } from '@nodewright/requirements';
import type { FieldReader } from './field-reader.ts';
import { readPodLabels } from './read-behavior.ts';
import type { NodeChoice, ScenarioAction } from './scenario-file.ts';

/** Fields in milliseconds that a scenario writes as durations without the unit in their names. */
const durationFields: ReadonlyMap<string, string> = new Map([
  ['delay', 'delayMs'],
  ['lag', 'lagMs'],
  ['notice', 'noticeMs'],
]);

/** A fault in the words of `nodewright sandbox fault add`, with `for` and, where it is about one instance, `nodes`. */
export function readFault(field: FieldReader): ScenarioAction | undefined {
  if (!field.isObject)
    return field.want('write an object such as {kind: insufficient-capacity, zone: us-east-1a, for: 1h}');
  const kindField = field.field('kind');
  const kind = findFaultKind(kindField.value);
  if (kind === undefined) return kindField.want(describeKinds(kindField));
  if (kind === 'latency')
    return kindField.refuse('is "latency"; a scenario runs on virtual time, where calls take no time');
  const forField = field.field('for');
  const forMs = forField.isMissing ? undefined : forField.duration();
  const nodes = readFaultyNodes(field);
  const isPerNode = kind !== undefined && faultKinds[kind].optional?.includes('instanceId') === true;
  if (nodes !== undefined && !isPerNode) return field.field('nodes').refuse(`is no field of ${kind ?? 'this fault'}`);
  const fault = parsedFault(field);
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

function parsedFault(field: FieldReader): ReturnType<typeof parseFault> | undefined {
  const own = new Map<string, unknown>();
  for (const name of field.fieldNames()) {
    if (name === 'for' || name === 'nodes' || name === 'pool') continue;
    const { value } = field.field(name);
    const inMs = durationFields.get(name);
    const isLength = inMs !== undefined && typeof value === 'string' && isAge(value);
    const isLabels = name === 'pods' && value !== undefined;
    own.set(inMs ?? name, isLength ? parseAge(value) : isLabels ? readPodLabels(field.field(name)) : value);
  }
  try {
    return parseFault(Object.fromEntries(own));
  } catch (error) {
    return field.refuse(`is no fault: ${(error as Error).message}`);
  }
}
