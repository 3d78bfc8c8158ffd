import { knownEphemeralTaints, readinessTaintPrefix, type Node } from '@nodewright/apis';
import type { Observation, SeenNode } from '@nodewright/nodegroups';
import type { ScalingGroup, ScalingInstance } from '@nodewright/ports';
import { isReadyGroupNode } from './counts.ts';
import { instanceIdOfNode, groupUpdateTaint } from './names.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** What the state machine of an update looks at. Two instances are configured alike when they run the same image. */
export const observationOf = ({
  scaling,
  nodes,
  pods,
}: NodeGroupSnapshot & { readonly scaling: ScalingGroup }): Observation => ({
  group: {
    min: scaling.min,
    max: scaling.max,
    desired: scaling.desired,
    zones: scaling.zones,
    configuration: configurationOfScalingGroup(scaling),
    versions: scaling.template?.versions ?? {},
    suspended: scaling.suspended,
    instances: scaling.instances.map(withConfiguration),
    warm: scaling.warm.map(withConfiguration),
  },
  nodes: nodes.map(observedNode),
  pods,
});

const withConfiguration = ({ imageId, ...instance }: ScalingInstance) => ({ ...instance, configuration: imageId });

/** A version that is not named by its number may be another one at any time: the group is to be pointed at one. */
const configurationOfScalingGroup = ({ template }: ScalingGroup): string =>
  template === undefined || !template.isPinned ? '' : template.imageId;

const observedNode = (node: Node): SeenNode => ({
  name: node.metadata.name,
  instanceId: instanceIdOfNode(node),
  ready: isReadyGroupNode(node),
  labels: node.metadata.labels ?? {},
  unschedulable: node.spec?.unschedulable ?? false,
  marked: (node.spec?.taints ?? []).some(({ key }) => key === groupUpdateTaint.key),
  starting: (node.spec?.taints ?? []).some(({ key }) => isOfTheStart(key)),
});

const isOfTheStart = (key: string): boolean =>
  knownEphemeralTaints.some((taint) => taint.key === key) || key.startsWith(readinessTaintPrefix);
