import { expect, test } from 'vitest';
import type { JsonObject } from '../schema/json.ts';
import { builtinWarnings } from './warnings.ts';

const warnedContainer = { name: 'c', image: 'i' };
const warned = (spec: object, old?: object) =>
  builtinWarnings({
    type: { group: '', version: 'v1', kind: 'Pod' },
    object: { spec } as JsonObject,
    ...(old !== undefined && { old: { spec: old } as JsonObject }),
  });

test.each([
  {
    fact: 'an address of the node without a port of it',
    spec: { containers: [{ ...warnedContainer, ports: [{ containerPort: 80, protocol: 'TCP', hostIP: '10.0.0.1' }] }] },
    warning:
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}',
  },
  {
    fact: 'one port twice',
    spec: {
      containers: [
        { ...warnedContainer, ports: [{ containerPort: 80, protocol: 'TCP' }] },
        { name: 'd', image: 'i', ports: [{ containerPort: 80, protocol: 'TCP' }] },
      ],
    },
    warning: 'spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]',
  },
  {
    fact: 'a variable that is hidden',
    spec: {
      containers: [
        {
          ...warnedContainer,
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        },
      ],
    },
    warning: 'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
  },
  {
    fact: 'a spread that counts no pod',
    spec: { containers: [warnedContainer], topologySpreadConstraints: [{ topologyKey: 'zone' }] },
    warning: 'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
  },
  {
    fact: 'a secret without a name',
    spec: { containers: [warnedContainer], imagePullSecrets: [{ name: '' }] },
    warning: 'spec.imagePullSecrets[0].name: invalid empty name ""',
  },
])('a pod is taken with a warning of $fact, and an update that does not change it without', ({ spec, warning }) => {
  expect(warned(spec)).toEqual([warning]);
  expect(warned(spec, spec)).toEqual([]);
});

test('a variable that builds on what it was is no cause for a warning', () => {
  const env = [
    { name: 'A', value: '1' },
    { name: 'A', value: '$(A)2' },
  ];
  expect(warned({ containers: [{ ...warnedContainer, env }] })).toEqual([]);
});
