import type { PolicyRow } from './dashboard-rows.ts';

/** `governs 2 NodePools and 1 NodeGroup with 12 nodes, and leads no rollout`. */
export function describePolicy({ governed, rollout, mode }: PolicyRow): string {
  if (governed === undefined) return 'has not been looked at yet';
  const { nodePools, nodeGroups, nodes } = governed;
  const objects = [
    ...(nodePools === 0 ? [] : [countObjects(nodePools, 'NodePool')]),
    ...(nodeGroups === 0 ? [] : [countObjects(nodeGroups, 'NodeGroup')]),
  ];
  const whole = objects.length === 0 ? 'nothing' : `${objects.join(' and ')} with ${countObjects(nodes, 'node')}`;
  const leads =
    mode === 'Report' ? 'reports what it would do' : rollout === undefined ? 'leads no rollout' : `leads ${rollout}`;
  return `governs ${whole}, and ${leads}`;
}

const countObjects = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
