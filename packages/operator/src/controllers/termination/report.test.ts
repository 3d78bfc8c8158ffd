import { fromTimestamp, type ConditionUpdate } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportAttachedVolumes, reportDraining, reportMarked, reportReleased, reportTainted } from './report.ts';

const [node, claim] = [{ metadata: { name: 'n' } }, aClaim('one')];
const deadline = fromTimestamp('2024-03-01T12:00:00Z');
const taintLine = (pair: string): string =>
  `info tainted node {${pair},"taint.Key":"karpenter.sh/disrupted","taint.Value":"","taint.Effect":"NoSchedule"}`;
const update = (type: string, status: ConditionUpdate['status']): ConditionUpdate => ({
  type,
  status,
  reason: type,
  message: '',
});

for (const { fact, entries, told } of [
  {
    fact: 'the taint of a node with a claim',
    entries: reportTainted({ node, claim, deadline: undefined }),
    told: [taintLine('"Node":{"name":"n"},"NodeClaim":{"name":"one"}')],
  },
  {
    fact: 'the taint and the deadline of a node without a claim',
    entries: reportTainted({ node, claim: undefined, deadline }),
    told: [
      taintLine('"Node":{"name":"n"}'),
      'Warning TerminationGracePeriodExpiring Node/n: All pods will be deleted by 2024-03-01T12:00:00Z (n)',
    ],
  },
  { fact: 'a drain that is done', entries: reportMarked(claim, update('Drained', 'True')), told: ['nodeDrained one'] },
  { fact: 'no drain that begins', entries: reportMarked(claim, update('Drained', 'Unknown')), told: [] },
  { fact: 'no volumes that are detached', entries: reportMarked(claim, update('VolumesDetached', 'True')), told: [] },
  {
    fact: 'how many pods a drain waits for',
    entries: reportDraining(node, 3),
    told: ['Warning FailedDraining Node/n: Failed to drain node, 3 pods are waiting to be evicted (n)'],
  },
  {
    fact: 'the volumes that it waits for, five of them',
    entries: reportAttachedVolumes(node, ['a', 'b', 'c', 'd', 'e', 'f']),
    told: [
      'Normal AwaitingVolumeDetachment Node/n: Awaiting deletion of bound volumeattachments (a, b, c, d, e and 1 other(s)) (n)',
    ],
  },
  {
    fact: 'the end of a node',
    entries: reportReleased({ node, claim }, deadline),
    told: ['info deleted node {"Node":{"name":"n"},"NodeClaim":{"name":"one"}}', `nodeTerminated n, ${deadline}`],
  },
]) {
  test(`termination reports ${fact}`, () => expect(printEntries(entries)).toEqual(told));
}
