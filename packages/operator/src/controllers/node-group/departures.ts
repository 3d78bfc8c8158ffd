import {
  fromTimestamp,
  instant,
  type Instant,
  type NodeGroup,
  parseDuration,
  readOwn,
  toTimestamp,
  seconds,
} from '@nodewright/apis';
import { eksLimits, type UpdateLimits } from '@nodewright/nodegroups';
import type { ScalingGroup, ScalingHook, ScalingInstance } from '@nodewright/ports';
import { instanceIdOfNode } from './names.ts';
import type { NodeGroupAction, NodeGroupPlan } from './node-group-plan.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** A hook with this name is answered by the controller, no matter who created it. */
const ownHookPrefix = 'nodewright';

export const ownHook = ({ hooks }: ScalingGroup): ScalingHook | undefined =>
  hooks.find(({ name, transition }) => transition === 'terminating' && name.startsWith(ownHookPrefix));

/** How long the pods of one node may take, and the other times of an update. */
export function departureLimits({ spec }: NodeGroup): UpdateLimits {
  const asked = spec.update?.drainTimeout;
  return { ...eksLimits, evictionRetryMs: 0, ...(asked === undefined ? {} : { drainMs: parseDuration(asked) }) };
}

/**
 * Instances that the group ends, no matter who asked for it, are drained where a terminate hook of ours makes them
 * wait: the hook is kept waiting until the last pod has left, or the time for a node is over.
 */
export function withDepartures(seen: NodeGroupSnapshot, plan: NodeGroupPlan, now: Instant): NodeGroupPlan {
  const hook = seen.scaling === undefined ? undefined : ownHook(seen.scaling);
  const { leaving: _, ...status } = plan.after.status ?? {};
  if (seen.scaling === undefined || hook === undefined) return { ...plan, after: { ...plan.after, status } };
  const known = seen.nodeGroup.status?.leaving ?? {};
  const waiting = seen.scaling.instances.filter(({ lifecycle }) => lifecycle === 'Terminating:Wait');
  const leaving = Object.fromEntries(waiting.map(({ id }) => [id, readOwn(known, id) ?? toTimestamp(now)]));
  const actions = waiting.flatMap((instance) =>
    departureSteps(seen, { hook, instance, since: readOwn(leaving, instance.id), now }),
  );
  const looks = instant(now + Math.min(longestLookMs, (hook.heartbeatSeconds * 1000) / 3));
  return {
    ...plan,
    after: { ...plan.after, status: { ...status, ...(waiting.length === 0 ? {} : { leaving }) } },
    actions: [...plan.actions, ...actions],
    recheckAt: looks < plan.recheckAt ? looks : plan.recheckAt,
  };
}

/** Three looks fit into one heartbeat, so that one that fails ends nothing. */
const longestLookMs = seconds(45);

type Departure = {
  readonly hook: ScalingHook;
  readonly instance: ScalingInstance;
  readonly since: string | undefined;
  readonly now: Instant;
};

function departureSteps(
  { nodeGroup, nodes, pods }: NodeGroupSnapshot,
  { hook, instance, since, now }: Departure,
): readonly NodeGroupAction[] {
  const node = nodes.find((each) => instanceIdOfNode(each) === instance.id);
  const there = pods.filter((pod) => pod.node === node?.metadata.name);
  const isOver = since !== undefined && now >= fromTimestamp(since) + departureLimits(nodeGroup).drainMs;
  const answer = { kind: 'answerHook', hook: hook.name, instanceId: instance.id } as const;
  if (node === undefined || there.length === 0 || isOver) {
    const because = there.length === 0 ? 'its last pod has left' : 'the time for its pods is over';
    return [{ ...answer, answer: 'continue', because }];
  }
  const because = `the group ends ${node.metadata.name}`;
  const cordon = { kind: 'step', step: { kind: 'cordon', node: node.metadata.name }, because } as const;
  const evictions = there
    .filter((pod) => !pod.leaving)
    .map(({ namespace, name: pod, node: on }): NodeGroupAction => ({
      kind: 'step',
      step: { kind: 'evict', namespace, pod, node: on },
      because,
    }));
  return [
    { ...answer, answer: 'heartbeat', because },
    ...(node.spec?.unschedulable === true ? [] : [cordon]),
    ...evictions,
  ];
}
