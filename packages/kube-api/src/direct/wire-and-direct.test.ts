import {
  configMaps,
  deployments,
  type KubernetesObject,
  leases,
  nodes,
  pods,
  type ResourceType,
  services,
} from '@nodewright/apis';
import { ApiError, inProcessTransport, type KubernetesClient, kubernetesClient } from '@nodewright/runtime';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';
import { createDirectClient } from './direct-client.ts';

const web = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** The kinds, each with a spec that it accepts. */
const accepted: ReadonlyMap<ResourceType, object> = new Map<ResourceType, object>([
  [pods, web.spec],
  [nodes, { taints: [{ key: 'a', effect: 'NoSchedule' }] }],
  [configMaps, {}],
  [services, { ports: [{ port: 80 }] }],
  [deployments, { replicas: 2, selector: { matchLabels: { app: 'a' } }, template: web }],
  [leases, { leaseDurationSeconds: 15 }],
]);

/** Specs that most of the kinds refuse. */
const others: readonly object[] = [
  {},
  { containers: [{ name: 'Not Valid', image: '' }], tolerations: [{ operator: 'Equal' }] },
  { ports: [{ port: 0, protocol: 'X' }], type: 'Other' },
  { leaseDurationSeconds: 0 },
  { replicas: '3' },
  { taints: [{ key: 'a', effect: 'Never' }] },
];

const labels = [{}, {}, { app: 'a' }, { app: 'a' }, { app: 'b' }, { '-bad': 'x' }];
const finalizers = [undefined, undefined, undefined, ['example.com/hold'], ['unqualified']];
const patches: readonly object[] = [
  { metadata: { labels: { app: 'b' } } },
  { metadata: { finalizers: null } },
  { metadata: { name: 'other' } },
  { metadata: { resourceVersion: '1' } },
  { spec: { replicas: -1 } },
  { spec: { replicas: 3 } },
  { spec: { unknown: true } },
  { kind: 'Secret' },
  { status: { replicas: 1, phase: 'Running' } },
];

const aKey = fc.record({
  type: fc.constantFrom(...accepted.keys()),
  name: fc.constantFrom('a', 'a', 'b', 'b', 'Bad_Name'),
});
const anObject = fc.record({
  labels: fc.constantFrom(...labels),
  finalizers: fc.constantFrom(...finalizers),
  spec: fc.option(fc.constantFrom(...others), { nil: undefined, freq: 1 }),
});
const dryRun = fc.constantFrom(false, false, false, true);

const aStep = fc.oneof(
  fc.record({ verb: fc.constant('create' as const), key: aKey, object: anObject, dryRun }),
  fc.record({ verb: fc.constant('update' as const), key: aKey, object: anObject, dryRun }),
  fc.record({
    verb: fc.constant('patch' as const),
    key: aKey,
    kind: fc.constantFrom('merge' as const, 'strategic' as const),
    patch: fc.constantFrom(...patches),
    subresource: fc.constantFrom(undefined, 'status' as const),
  }),
  fc.record({ verb: fc.constant('delete' as const), key: aKey, seconds: fc.constantFrom(undefined, 0, 30) }),
  fc.record({ verb: fc.constant('list' as const), key: aKey, labelSelector: fc.constantFrom('', 'app=a', 'app in (') }),
);

type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;

const placeOf = ({ type, name }: Step['key']) => ({ name, ...(type.namespaced && { namespace: 'default' }) });

function objectOf(
  key: Step['key'],
  { labels, finalizers, spec }: typeof anObject extends fc.Arbitrary<infer O> ? O : never,
) {
  const metadata = { ...placeOf(key), labels, ...(finalizers && { finalizers }) };
  return {
    apiVersion: '',
    kind: key.type.kind,
    metadata,
    spec: spec ?? accepted.get(key.type),
  } as unknown as KubernetesObject;
}

function send(client: KubernetesClient, step: Step): Promise<unknown> {
  const { key } = step;
  switch (step.verb) {
    case 'create':
      return client.create(key.type, withType(key.type, objectOf(key, step.object)), { dryRun: step.dryRun });
    case 'update':
      return client.update(key.type, withType(key.type, objectOf(key, step.object)), { dryRun: step.dryRun });
    case 'patch':
      return client.patch(
        key.type,
        placeOf(key),
        { type: step.kind, patch: step.patch },
        step.subresource === undefined ? {} : { subresource: step.subresource },
      );
    case 'delete':
      return client.delete(
        key.type,
        placeOf(key),
        step.seconds === undefined ? {} : { gracePeriodSeconds: step.seconds },
      );
    case 'list':
      return client.list(key.type, { labelSelector: step.labelSelector });
  }
}

const withType = ({ group, version }: ResourceType, object: KubernetesObject): KubernetesObject => ({
  ...object,
  apiVersion: group === '' ? version : `${group}/${version}`,
});

async function outcomeOf(sent: Promise<unknown>): Promise<unknown> {
  try {
    return { answer: withoutOwners(await sent) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, reason: error.reason, message: withoutOwnersInText(error.message) };
  }
}

/** A direct client owns no fields. */
const withoutOwners = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : (JSON.parse(
        JSON.stringify(value, (key, inner: unknown) => (key === 'managedFields' ? undefined : inner)),
      ) as unknown);

const withoutOwnersInText = (text: string): string => text.replaceAll(/,?\\*"managedFields\\*":\[.*?\}\}\}?\]/g, '');

function bothWays() {
  const wire = anApiServer();
  const direct = anApiServer();
  const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
  const transport = inProcessTransport(wire.time.gate, wire.server.handle, { peer });
  const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
  return [
    { world: wire, client: kubernetesClient({ transport, gate: wire.time.gate, userAgent: 'test/1' }) },
    { world: direct, client: createDirectClient(direct.server, { gate: direct.time.gate, name: 'test', user }) },
  ] as const;
}

test('a random client gets the same answers over the wire and directly, and leaves the same objects', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 40, maxLength: 60 }), async (steps) => {
      const [wire, direct] = bothWays();
      for (const step of steps) {
        const [over, inside] = await Promise.all(
          [wire, direct].map(({ world, client }) => world.time.finish(outcomeOf(send(client, step)))),
        );
        expect({ step, outcome: inside }).toEqual({ step, outcome: over });
      }
      expect(withoutOwners(direct.world.server.snapshot())).toEqual(withoutOwners(wire.world.server.snapshot()));
    }),
    { numRuns: 5 },
  );
});
