import { fromTimestamp, type Condition, type Pod } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { printEntries } from '@nodewright/testkit/worlds';
import { listPodMilestones } from './plan.ts';
import { reportPodMilestone } from './report.ts';

const at = '2024-03-01T12:00:10Z';
const withConditions = (conditions: readonly Condition[], creationTimestamp = '2024-03-01T12:00:00Z'): Pod => {
  const pod = aPod('web');
  return { ...pod, metadata: { ...pod.metadata, creationTimestamp }, status: { ...pod.status, conditions } };
};
const reached = (type: string, lastTransitionTime?: string): Condition => ({
  type,
  status: 'True',
  ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
});

for (const { fact, after, place, told } of [
  { fact: 'its node is measured from its creation', after: [reached('PodScheduled', at)], told: ['podBound 10000'] },
  {
    fact: 'its node is measured from the round that found its place, too',
    after: [reached('PodScheduled', at)],
    place: '2024-03-01T12:00:04Z',
    told: ['podBound 10000', 'podProvisioned "bound", 6000'],
  },
  {
    fact: 'readiness is measured from both',
    after: [reached('Ready', at)],
    place: '2024-03-01T12:00:04Z',
    told: ['podStarted 10000', 'podProvisioned "startup", 6000'],
  },
  {
    fact: 'node and readiness may come together',
    after: [reached('PodScheduled', at), reached('Ready', at)],
    told: ['podBound 10000', 'podStarted 10000'],
  },
  {
    fact: 'clocks that differ make no negative time',
    after: [reached('Ready', '2024-03-01T11:59:00Z')],
    told: ['podStarted 0'],
  },
  { fact: 'a condition without a time says nothing', after: [reached('Ready')], told: [] },
]) {
  test(`of a pod, ${fact}`, () => {
    const pod = withConditions(after);
    const since = place === undefined ? undefined : fromTimestamp(place);
    const milestones = listPodMilestones(withConditions([]), pod);
    expect(printEntries(milestones.flatMap((each) => reportPodMilestone(pod, each, since)))).toEqual(told);
  });
}

test('what a pod had reached before is not measured again', () => {
  const pod = withConditions([reached('Ready', at)]);
  expect(listPodMilestones(pod, pod)).toEqual([]);
});
