import { type Deployment, deployments, replicaSets } from '@nodewright/apis';
import type { EventRecorder, KubernetesClient } from '@nodewright/runtime';
import { unlessGone } from '../../control-plane/refusals.ts';
import { patchStatus } from '../../control-plane/writes.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import type { DeploymentAction } from './plan.ts';
import { revisionAnnotation } from './replica-set.ts';
import { wantedReplicas } from './rollout.ts';

export type DeploymentWriters = { readonly client: KubernetesClient; readonly events: EventRecorder };

export async function perform(
  action: DeploymentAction,
  deployment: Deployment,
  { client, events }: DeploymentWriters,
): Promise<void> {
  const reportScaling = (name: string, from: number, to: number): void => {
    const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
    events.publish({ kind: deployments, about: deployment, type: 'Normal', reason: 'ScalingReplicaSet', message });
  };
  switch (action.kind) {
    case 'createReplicaSet': {
      const { set } = action;
      await client.create(replicaSets, set);
      if (wantedReplicas(set) > 0) reportScaling(set.metadata.name, 0, wantedReplicas(set));
      return;
    }
    case 'scaleReplicaSet': {
      const { set, to } = action;
      // The lock refuses a decision on an outdated ReplicaSet.
      const patch = { metadata: { resourceVersion: set.metadata.resourceVersion }, spec: { replicas: to } };
      await client.patch(replicaSets, keyOfMeta(set.metadata), { type: 'merge', patch });
      return reportScaling(set.metadata.name, wantedReplicas(set), to);
    }
    case 'deleteReplicaSet':
      await unlessGone(client.delete(replicaSets, keyOfMeta(action.set.metadata)));
      return;
    case 'numberReplicaSet':
      await client.patch(replicaSets, keyOfMeta(action.set.metadata), patchRevision(action.revision));
      return;
    case 'numberDeployment':
      await unlessGone(client.patch(deployments, keyOfMeta(deployment.metadata), patchRevision(action.revision)));
      return;
    case 'writeStatus':
      return patchStatus(client, deployments, deployment, action.status);
  }
}

const patchRevision = (revision: string) =>
  ({ type: 'merge', patch: { metadata: { annotations: { [revisionAnnotation]: revision } } } }) as const;
