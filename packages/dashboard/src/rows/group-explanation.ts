import type { ExplainPath } from './dashboard-rows.ts';

const explainedKinds: Readonly<Record<string, string>> = { NodePool: 'nodepool', NodeGroup: 'nodegroup' };

/** What explains the group of a node: `nodepool/default` for `NodePool/default`; `undefined` for a group that is no object. */
export function findGroupExplanation(group: string): ExplainPath | undefined {
  const slash = group.indexOf('/');
  const kind = group.slice(0, Math.max(0, slash));
  return Object.hasOwn(explainedKinds, kind) ? `${explainedKinds[kind]}/${group.slice(slash + 1)}` : undefined;
}
