import type { KubernetesObject, NodePool, NodeRolloutPolicy } from '@nodewright/apis';
import { karpenterAnnotations } from '@nodewright/apis';
import type { OperatorFlaw } from '../worlds/operator-process.ts';
import { rewriteReads } from './rewrite-reads.ts';

/**
 * Controllers that are broken on purpose, to show that the invariants notice: each one gets a picture of its world, or a
 * way to act on it, that makes it do what the name says.
 */
export const flaws: Readonly<Record<string, OperatorFlaw>> = {
  'ignores-budgets': { client: (client) => rewriteReads(client, withoutBudgets) },
  'ignores-do-not-disrupt': { client: (client) => rewriteReads(client, withoutProtection) },
  'forgets-instances': {
    cloud: (cloud) => ({
      ...cloud,
      instances: { ...instanceMethods(cloud.instances), terminate: () => Promise.resolve('gone') },
    }),
  },
  'launches-again-after-a-death': {
    cloud: (cloud, life) => ({
      ...cloud,
      instances: {
        ...instanceMethods(cloud.instances),
        launch: (request, signal) =>
          cloud.instances.launch({ ...request, attempt: request.attempt + 1_000 * life }, signal),
      },
    }),
  },
  'launches-blocked-images': { client: (client) => rewriteReads(client, withoutRules) },
  'ignores-pauses': { client: (client) => rewriteReads(client, withoutPauses) },
  'ignores-seats': {
    client: (client) =>
      rewriteReads(
        client,
        withPolicySpec(({ waves = [], ...spec }) => ({
          ...spec,
          waves: waves.map((wave) => ({ ...wave, nodes: '100%' })),
        })),
      ),
  },
  'ignores-windows': {
    client: (client) =>
      rewriteReads(
        client,
        withPolicySpec(({ windows: _windows, ...spec }) => spec),
      ),
  },
  'ignores-promotion': {
    client: (client) =>
      rewriteReads(
        client,
        withPolicySpec(({ promotion: _promotion, ...spec }) => spec),
      ),
  },
  'ignores-pace': { client: (client) => rewriteReads(client, withPolicySpec(withPace({ maxPerHour: 1_000 }))) },
  'ignores-surge': { client: (client) => rewriteReads(client, withPolicySpec(withPace({ maxSurge: 1_000 }))) },
};

/** A port may be an object of a class, whose methods a spread does not take along. */
const instanceMethods = (port: OperatorPort): OperatorPort => ({
  launch: (request, signal) => port.launch(request, signal),
  get: (id, signal) => port.get(id, signal),
  lastSeen: (id, signal) => port.lastSeen(id, signal),
  checkPresence: (id, signal) => port.checkPresence(id, signal),
  list: (signal) => port.list(signal),
  terminate: (id, signal) => port.terminate(id, signal),
  tag: (id, tags, signal) => port.tag(id, tags, signal),
});

type OperatorPort = Parameters<NonNullable<OperatorFlaw['cloud']>>[0]['instances'];

function withoutBudgets(object: KubernetesObject): KubernetesObject | undefined {
  if (object.kind !== 'NodePool') return object;
  const { spec, ...rest } = object as NodePool;
  const disruption = { consolidateAfter: '0s', ...spec.disruption, budgets: [{ nodes: '100%' }] };
  return { ...rest, spec: { ...spec, disruption } } as NodePool;
}

function withoutProtection(object: KubernetesObject): KubernetesObject | undefined {
  const { metadata } = object;
  if (metadata.annotations?.[karpenterAnnotations.doNotDisrupt] === undefined) return object;
  const { [karpenterAnnotations.doNotDisrupt]: _hidden, ...annotations } = metadata.annotations;
  return { ...object, metadata: { ...metadata, annotations } };
}

type RewrittenPolicySpec = NodeRolloutPolicy['spec'];

const withPolicySpec =
  (change: (spec: RewrittenPolicySpec) => RewrittenPolicySpec) =>
  (object: KubernetesObject): KubernetesObject => {
    if (object.kind !== 'NodeRolloutPolicy') return object;
    const { spec, ...rest } = object as NodeRolloutPolicy;
    return { ...rest, spec: change(spec) } as NodeRolloutPolicy;
  };

const withPace =
  (pace: NonNullable<RewrittenPolicySpec['pace']>) =>
  (spec: RewrittenPolicySpec): RewrittenPolicySpec => ({ ...spec, pace: { ...spec.pace, ...pace } });

const withoutPauses = (object: KubernetesObject): KubernetesObject | undefined =>
  object.kind === 'DisruptionPause' ? undefined : object;

const withoutRules = (object: KubernetesObject): KubernetesObject | undefined =>
  object.kind === 'ImageRule' ? undefined : object;
