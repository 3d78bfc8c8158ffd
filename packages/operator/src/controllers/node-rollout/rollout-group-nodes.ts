import {
  conditionOf,
  fromTimestamp,
  type Instant,
  type Node,
  type NodeGroup,
  type NodeRollout,
  seconds,
  selectableLabels,
} from '@nodewright/apis';
import {
  currentRollout,
  type EvictionRules,
  type GovernedObject,
  governedId,
  type RolloutNode,
  structuralHash,
} from '@nodewright/engine';
import { type GroupedInstance, type GroupReading, rolloutOfInstance } from '../../state/group-readings.ts';
import type { Objects } from '../../state/objects.ts';
import { groupSourceOf } from '../../state/rollout-governance.ts';
import { findDrainBlocker } from './drain-blocker.ts';
import { healthOfRolloutNode, type HealthSources } from './node-health.ts';

/** A NodeGroup as a plan looks at it. */
export function governedGroup(
  group: NodeGroup,
  reading: GroupReading,
  rollouts: readonly NodeRollout[],
): GovernedObject {
  const { metadata } = group;
  const rollout = currentRollout({ rollouts })?.metadata.name ?? '';
  return {
    id: governedId({ kind: 'NodeGroup', name: metadata.name }),
    labels: selectableLabels(group),
    source: groupSourceOf(metadata.name),
    moves: reading.moves,
    specHash: structuralHash({ group: [metadata.uid, metadata.generation] }),
    ...(reading.obstacle === undefined ? {} : { backOff: reading.obstacle }),
    ...(reading.isUpdating && reading.moves === 'whole' ? { update: { rollout } } : {}),
  };
}

type GroupNodeSources = HealthSources & {
  readonly objects: Pick<Objects, 'nodes' | 'pods'>;
  readonly rollouts: readonly NodeRollout[];
  readonly rules: EvictionRules;
  readonly admitted: ReadonlySet<string>;
};

/** The instances of a group as nodes of a rollout, by their ids. */
export const rolloutNodesOfGroup = (
  sources: GroupNodeSources,
  group: string,
  reading: GroupReading,
): readonly RolloutNode[] =>
  reading.instances.map((instance) => rolloutNodeOfInstance(sources, group, reading, instance));

function rolloutNodeOfInstance(
  sources: GroupNodeSources,
  group: string,
  { variant = '' }: GroupReading,
  instance: GroupedInstance,
): RolloutNode {
  const source = groupSourceOf(group);
  const node = instance.node === undefined ? undefined : sources.objects.nodes.get(instance.node);
  const rollout = rolloutOfInstance(sources.rollouts, source, instance);
  const initializedAt = node === undefined ? undefined : joinedAt(node);
  return {
    name: instance.id,
    object: source,
    variant,
    image: instance.image,
    labels: node?.metadata.labels ?? {},
    zone: instance.zone,
    ...(rollout === undefined ? {} : { rollout }),
    createdAt: instance.launchedAt,
    ...(initializedAt === undefined ? {} : { initializedAt }),
    ...healthOfRolloutNode(sources, instance.id, node),
    leaving: instance.leaving,
    ...(instance.replaces === undefined ? {} : { replaces: instance.replaces }),
    ...(instance.leaving || sources.admitted.has(instance.id) ? findDrainBlocker(sources, node) : {}),
  };
}

const firstConditionMs = seconds(5);

/** A node that is Ready, or was: its first condition is from its creation. */
function joinedAt(node: Node): Instant | undefined {
  const ready = conditionOf(node, 'Ready');
  const createdAt = node.metadata.creationTimestamp;
  if (ready?.lastTransitionTime === undefined || createdAt === undefined) return undefined;
  const born = fromTimestamp(createdAt);
  const hasChanged = fromTimestamp(ready.lastTransitionTime) - born > firstConditionMs;
  return ready.status === 'True' || hasChanged ? born : undefined;
}
