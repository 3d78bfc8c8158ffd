import type { Pod } from '@nodewright/apis';
import type { ProblemFile } from '@nodewright/engine';
import { openPool, syntheticLabels, syntheticTypes } from './synthetic-types.ts';

/** Pods of so many deployments, each with labels and a size of its own, every fifth spread over zones. */
export const classMix = (pods: number, classes: number): ProblemFile => ({
  wellKnownLabels: syntheticLabels,
  instanceTypes: syntheticTypes(400),
  nodePools: [openPool],
  pods: Array.from({ length: pods }, (_, index) => pod(index, index % classes)),
});

function pod(index: number, deployment: number): Pod {
  const labels = { app: `app-${deployment}` };
  const name = `${labels.app}-${index}`;
  const requests = { cpu: `${100 + (deployment % 37) * 50}m`, memory: `${128 + (deployment % 23) * 64}Mi` };
  return {
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: {
      containers: [{ name: 'main', resources: { requests } }],
      ...(deployment % 5 === 0 ? { topologySpreadConstraints: [overZones(labels)] } : {}),
    },
  };
}

const overZones = (matchLabels: Readonly<Record<string, string>>) => ({
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'DoNotSchedule' as const,
  labelSelector: { matchLabels },
});
