import { readOwn } from '@nodewright/apis';
import type { ExplainPath } from './dashboard-rows.ts';

const explainedKinds: Readonly<Record<string, string>> = { NodePool: 'nodepool', NodeGroup: 'nodegroup' };

/** What explains the group of a node: `nodepool/default` for `NodePool/default`; `undefined` for a group that is no object. */
export function findGroupExplanation(group: string): ExplainPath | undefined {
  const slash = group.indexOf('/');
  const kind = readOwn(explainedKinds, group.slice(0, Math.max(0, slash)));
  return kind === undefined ? undefined : `${kind}/${group.slice(slash + 1)}`;
}
