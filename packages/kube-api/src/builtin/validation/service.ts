import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { valueAtPath, isObject, type JsonObject, memberOf, jsonTextAt } from '../../schema/json.ts';
import { validatePort, jsonObjectsIn, validateChoice } from './checks.ts';

/** The problems of a Service. */
export function serviceCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const ports = jsonObjectsIn(valueAtPath(spec, 'ports'));
  const isHeadless = jsonTextAt(spec, 'clusterIP') === 'None';
  const needsPorts = !isHeadless && jsonTextAt(spec, 'type') !== 'ExternalName';
  return [
    ...(ports.length === 0 && needsPorts ? [requiredCause('spec.ports')] : []),
    ...validateChoice('spec.type', memberOf(spec, 'type'), ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...ports.flatMap((port, index) =>
      servicePortCauses(port, { field: `spec.ports[${index}]`, isOnlyPort: ports.length === 1 }),
    ),
    ...(old !== undefined && isObject(spec) ? addressCauses(spec, old) : []),
  ];
}

function servicePortCauses(port: JsonObject, { field, isOnlyPort }: { field: string; isOnlyPort: boolean }): Cause[] {
  return [
    ...(jsonTextAt(port, 'name') === '' && !isOnlyPort ? [requiredCause(`${field}.name`)] : []),
    ...(port['port'] === 0
      ? [invalidCause(`${field}.port`, 0, 'must be between 1 and 65535, inclusive')]
      : validatePort(`${field}.port`, port['port'])),
    ...validateChoice(`${field}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']),
  ];
}

function addressCauses(spec: JsonObject, old: JsonObject): Cause[] {
  const before = jsonTextAt(old, 'spec', 'clusterIP');
  const after = jsonTextAt(spec, 'clusterIP');
  const isFixed =
    before !== '' && jsonTextAt(spec, 'type') !== 'ExternalName' && jsonTextAt(old, 'spec', 'type') !== 'ExternalName';
  return isFixed && before !== after
    ? [invalidCause('spec.clusterIPs[0]', after === '' ? [] : [after], 'may not change once set')]
    : [];
}
