import type { Pod, PodAffinityTerm } from '@nodewright/apis';
import type { ProblemFile } from '@nodewright/engine';
import { openPool, syntheticLabels, syntheticTypes } from './synthetic-types.ts';

const labels = { app: 'nginx' };
const apart = (topologyKey: string): PodAffinityTerm => ({ labelSelector: { matchLabels: labels }, topologyKey });

const spec: Pod['spec'] = {
  containers: [{ name: 'main', resources: { requests: { cpu: '1500m', memory: '1Gi' } } }],
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 1,
          preference: {
            matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['test-zone-1'] }],
          },
        },
      ],
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, podAffinityTerm: apart('topology.kubernetes.io/zone') },
        { weight: 1, podAffinityTerm: apart('kubernetes.io/hostname') },
      ],
    },
  },
};

/** Equal pods that would all rather be in zone 1, alone in their zone (which cannot be) and alone on their host. */
export const preferenceMix = (count: number, preferencePolicy: 'Respect' | 'Ignore'): ProblemFile => ({
  wellKnownLabels: syntheticLabels,
  instanceTypes: syntheticTypes(400),
  nodePools: [openPool],
  options: { preferencePolicy },
  pods: Array.from({ length: count }, (_, index) => {
    const name = `p${String(index).padStart(5, '0')}`;
    return { metadata: { name, namespace: 'default', uid: name, labels }, spec };
  }),
});
