import type { Node, Pod } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { printUse, readKubeletPage, simulatedNodeUse, simulatedPodUse } from '@nodewright/cluster-sim';
import type { ApiObject, KubeletPages, ResourceUsage } from '@nodewright/kube-api';

const asPods = (objects: readonly ApiObject[]): readonly Pod[] => objects as unknown as readonly Pod[];

const asNode = (object: ApiObject): Node => object;

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

/** Kubelets that tell the same use on their own pages. */
export const simulatedKubelets = (clock: Pick<Clock, 'now'>): KubeletPages => ({
  read: (node, path, pods) => readKubeletPage({ node: asNode(node), pods: asPods(pods), now: clock.now() }, path),
});
