import { type Node, readOwn, type Taint } from '@nodewright/apis';
import type { Taint as WireTaint } from '@aws-sdk/client-eks';
import {
  type AutoScalingGroupRecord,
  type EksNodeGroup,
  softwareLabels,
  kubernetesEffect,
} from '@nodewright/aws-endpoints';
import type { GroupManager } from './manager.ts';
import { nodesOf } from './observe.ts';
import { patchNode } from './update-mark.ts';

/**
 * Nodes of a customer's own image do not hear from EKS at their start what they are: they get the labels and the
 * taints of their group once they have joined.
 */
export async function adoptNodes(
  manager: GroupManager,
  group: EksNodeGroup,
  scaling: AutoScalingGroupRecord,
): Promise<void> {
  const { watches, client, nodeGroups } = manager;
  if (group.amiType !== 'CUSTOM' || nodeGroups.deps.access() !== 'granted') return;
  for (const { instanceId, node } of nodesOf(watches, scaling)) {
    if (isAdopted(node, group)) continue;
    const labels = labelsFor(manager, group, instanceId);
    // The watch may be behind an earlier turn: what counts is the node that is read now.
    await patchNode(client, node.metadata.name, (current) =>
      isAdopted(current, group)
        ? undefined
        : {
            metadata: { labels },
            spec: { taints: [...(current.spec?.taints ?? []), ...group.taints.map(asKubernetes)] },
          },
    );
  }
}

const isAdopted = ({ metadata }: Node, group: EksNodeGroup): boolean =>
  metadata.labels?.[nodeGroupLabel] === group.name;

const nodeGroupLabel = 'eks.amazonaws.com/nodegroup';

/** As the version of the template says that the instance was launched from, which need not be the present one. */
function labelsFor(
  { nodeGroups }: GroupManager,
  group: EksNodeGroup,
  instanceId: string,
): Readonly<Record<string, string>> {
  const { ec2, autoScaling } = nodeGroups.deps;
  const version = autoScaling.holding(instanceId).instance.template.version;
  const [id = '', number = ''] = (readOwn(group.resources?.configurations, version) ?? '').split(':');
  const name = group.source?.name ?? '';
  const imageId = ec2.instances.get(instanceId)?.settings.imageId ?? group.imageId;
  return {
    ...group.labels,
    ...softwareLabels(group, { imageId, source: { id, name, version: number } }),
    'eks.amazonaws.com/capacityType': group.capacityType,
  };
}

export const asKubernetes = (taint: WireTaint): Taint => ({
  key: taint.key ?? '',
  ...(taint.value !== undefined && taint.value !== '' && { value: taint.value }),
  effect: kubernetesEffect(taint),
});

/** The group that a node says it is of, or, while it says nothing, the one that its instance is of. */
export function groupOfNode({ metadata, spec }: Node, nodeGroups: GroupManager['nodeGroups']): string | undefined {
  const said = metadata.labels?.[nodeGroupLabel];
  if (said !== undefined) return said;
  const id = spec?.providerID?.split('/').at(-1);
  const scaling = nodeGroups.deps.autoScaling.all().find(({ instances }) => instances.some((each) => each.id === id));
  return nodeGroups.all().find(({ resources }) => resources !== undefined && resources.groupName === scaling?.name)
    ?.name;
}
