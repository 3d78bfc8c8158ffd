import { instant, minutes, type Node } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { GroupNodeWatch } from './group-node-watch.ts';
import { countLeftNodes } from './run-record.ts';

const nodeOf = (group: string, spec: Node['spec'] = {}): Node => ({
  metadata: { name: `${group}-1`, labels: { 'node.kubernetes.io/instance-type': 'm5.large' } },
  spec: { providerID: `aws:///us-east-1a/i-${group}`, ...spec },
});

const mark = {
  taints: [{ key: 'eks.amazonaws.com/nodegroup', value: 'unschedulable', effect: 'NoSchedule' as const }],
};

function follow() {
  let now = instant(0);
  const groupOf = (id: string): string | undefined => (id === 'i-web' ? 'web' : undefined);
  const watch = new GroupNodeWatch({ now: () => now, groupOf });
  const later = <T>(work: () => T): T => {
    now = instant(now + minutes(1));
    return work();
  };
  return { watch, see: (node: Node, isGone = false) => later(() => watch.see(node, isGone)), later };
}

test('a node of a group is chosen by the mark of its update, and leaves with its first pod', () => {
  const { watch, see, later } = follow();
  expect(see(nodeOf('web'))).toBe(true);
  watch.begin();
  see(nodeOf('web', mark));
  later(() => watch.seePodLeaving('web-1'));
  expect(see(nodeOf('web', { ...mark, unschedulable: true }), true)).toBe(true);
  expect(watch.results()).toMatchObject([
    { reason: 'NodeGroupUpdate', chosenAt: minutes(2), leavesAt: minutes(3), goneAt: minutes(4), isFromBefore: true },
  ]);
});

test('a node whose update fails loses its mark, and is left', () => {
  const { watch, see } = follow();
  see(nodeOf('web'));
  watch.begin();
  see(nodeOf('web', mark));
  see(nodeOf('web'));
  const nodes = watch.results();
  expect(nodes[0]).toMatchObject({ reason: 'NodeGroupUpdate' });
  expect(nodes[0]?.chosenAt).toBeUndefined();
  const groups = [{ group: 'web', phase: 'Failed', reason: 'PodEvictionFailure', nodesLeft: 3 }];
  expect(countLeftNodes({ nodes, groups, rollouts: [] })).toBe(3);
});

test('nodes of NodePools are not followed', () => {
  const { watch, see } = follow();
  expect(see(nodeOf('pool'))).toBe(false);
  expect(watch.results()).toEqual([]);
});
