import type { Pod } from '@nodewright/apis';
import { printUse, simulatedNodeUse, simulatedPodUse } from '@nodewright/cluster-sim';
import type { ApiObject, ResourceUsage } from '@nodewright/kube-api';

const asPods = (objects: readonly ApiObject[]): readonly Pod[] => objects as unknown as readonly Pod[];

/** What nodes and pods use, as their requests and annotations say. */
export const simulatedUsage: ResourceUsage = {
  ofNode: (node, pods) => {
    const use = simulatedNodeUse(node, asPods(pods));
    return use && printUse(use);
  },
  ofPod: (pod) => {
    const containers = simulatedPodUse(pod as unknown as Pod);
    return containers && [...containers].map(([name, use]) => ({ name, usage: printUse(use) }));
  },
};
