import { pods } from '@nodewright/apis';
import type { UpdateAction } from '@nodewright/nodegroups';
import type { KubernetesClient } from '@nodewright/runtime';
import type { GroupUpdate, NodegroupResources, NodeGroups } from '@nodewright/aws-endpoints';
import { unlessGone } from '@nodewright/cluster-sim';
import { requestEviction } from './evict.ts';
import { markForUpdate, setUnschedulable, removeUpdateMark } from './update-mark.ts';

export type Performing = {
  readonly client: KubernetesClient;
  readonly nodeGroups: NodeGroups;
  readonly update: GroupUpdate;
  readonly resources: NodegroupResources;
};

/** Does one thing that the update asks for. */
export async function perform(
  action: UpdateAction,
  { client, nodeGroups, update, resources }: Performing,
): Promise<void> {
  const { autoScaling } = nodeGroups.deps;
  switch (action.kind) {
    case 'createVersion':
      if (update.goal !== undefined) nodeGroups.addTemplateVersion(update.group, update.goal);
      return;
    case 'pointGroup':
      return nodeGroups.pointAt(update.group, action.version);
    case 'setSize':
      autoScaling.change(resources.groupName, { max: action.max, desired: action.desired });
      return;
    case 'terminate':
      autoScaling.terminate(action.instanceId, action.decrement);
      return;
    case 'mark':
      return markForUpdate(client, action.node);
    case 'unmark':
      return removeUpdateMark(client, action.node);
    case 'cordon':
      return setUnschedulable(client, action.node, true);
    case 'uncordon':
      return setUnschedulable(client, action.node, false);
    case 'evict':
      return requestEviction(client, { namespace: action.namespace, name: action.pod });
    case 'delete':
      await unlessGone(client.delete(pods, { namespace: action.namespace, name: action.pod }));
      return;
    case 'discard':
    case 'suspend':
    case 'resume':
      // EKS leaves the processes of the group alone; the pool freshens itself.
      return;
    default:
      action satisfies never;
  }
}
