import { type Cause, invalid, required } from '../../schema/cause.ts';
import { at, isObject, type JsonObject, member, textAt } from '../../schema/json.ts';
import { isPort, objectsIn, oneOf } from './checks.ts';

/** What is wrong with a Service. */
export function serviceCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = member(object, 'spec');
  const ports = objectsIn(at(spec, 'ports'));
  const isHeadless = textAt(spec, 'clusterIP') === 'None';
  const needsPorts = !isHeadless && textAt(spec, 'type') !== 'ExternalName';
  return [
    ...(ports.length === 0 && needsPorts ? [required('spec.ports')] : []),
    ...oneOf('spec.type', member(spec, 'type'), ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...ports.flatMap((port, index) =>
      portCauses(port, { field: `spec.ports[${index}]`, isOnlyPort: ports.length === 1 }),
    ),
    ...(old !== undefined && isObject(spec) ? addressCauses(spec, old) : []),
  ];
}

function portCauses(port: JsonObject, { field, isOnlyPort }: { field: string; isOnlyPort: boolean }): Cause[] {
  return [
    ...(textAt(port, 'name') === '' && !isOnlyPort ? [required(`${field}.name`)] : []),
    ...(port['port'] === 0
      ? [invalid(`${field}.port`, 0, 'must be between 1 and 65535, inclusive')]
      : isPort(`${field}.port`, port['port'])),
    ...oneOf(`${field}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']),
  ];
}

function addressCauses(spec: JsonObject, old: JsonObject): Cause[] {
  const before = textAt(old, 'spec', 'clusterIP');
  const after = textAt(spec, 'clusterIP');
  const isFixed =
    before !== '' && textAt(spec, 'type') !== 'ExternalName' && textAt(old, 'spec', 'type') !== 'ExternalName';
  return isFixed && before !== after
    ? [invalid('spec.clusterIPs[0]', after === '' ? [] : [after], 'may not change once set')]
    : [];
}
