import type { Pod, PodSpec } from '@nodewright/apis';
import type { ProblemFile } from '@nodewright/engine';
import { seededRandom } from '@nodewright/runtime';
import type { Random } from '@nodewright/runtime';
import { openPool, syntheticLabels, syntheticTypes } from './synthetic-types.ts';

const cpus = ['100m', '250m', '500m', '1', '1500m'];
const memories = ['100Mi', '256Mi', '512Mi', '1Gi', '2Gi', '4Gi'];
const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

type Kind = (random: Random) => { readonly labels: Readonly<Record<string, string>>; readonly spec: Partial<PodSpec> };

const oneOf = <T>(random: Random, values: readonly T[]): T => random.pick(values);
const myLabel = (random: Random) => ({ 'my-label': oneOf(random, letters) });

const spreadOver =
  (topologyKey: string): Kind =>
  (random) => ({
    labels: myLabel(random),
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: myLabel(random) },
        },
      ],
    },
  });

const zoneAffinity: Kind = (random) => {
  const labels = { 'my-affinity': oneOf(random, letters) };
  const term = { labelSelector: { matchLabels: labels }, topologyKey: 'topology.kubernetes.io/zone' };
  return { labels, spec: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } } };
};

const hostAntiAffinity: Kind = () => {
  const labels = { app: 'nginx' };
  const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
  return {
    labels,
    spec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
  };
};

const kinds: readonly Kind[] = [
  (random) => ({ labels: myLabel(random), spec: {} }),
  spreadOver('topology.kubernetes.io/zone'),
  spreadOver('kubernetes.io/hostname'),
  zoneAffinity,
  hostAntiAffinity,
];

/** The diverse mix: a fifth each of plain pods, zone spread, host spread, zone self-affinity and host anti-affinity. */
export function diverseMix(count: number): ProblemFile {
  const random = seededRandom(42);
  return {
    wellKnownLabels: syntheticLabels,
    instanceTypes: syntheticTypes(400),
    nodePools: [openPool],
    pods: Array.from({ length: count }, (_, index) => pod(index, kindOf(index, count), random)),
  };
}

/** The kinds follow each other in equal shares; what does not divide is plain. */
function kindOf(index: number, count: number): Kind {
  const share = Math.floor(count / kinds.length);
  return kinds[share === 0 ? 0 : Math.floor(index / share)] ?? (kinds[0] as Kind);
}

function pod(index: number, kind: Kind, random: Random): Pod {
  const name = `p${String(index).padStart(5, '0')}`;
  const { labels, spec } = kind(random);
  const requests = { cpu: oneOf(random, cpus), memory: oneOf(random, memories) };
  return {
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: { containers: [{ name: 'main', resources: { requests } }], ...spec },
  };
}
