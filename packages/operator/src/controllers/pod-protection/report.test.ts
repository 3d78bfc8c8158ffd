import { fromTimestamp, karpenterAnnotations, toTimestamp, type Pod } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { printEntries } from '@nodewright/testkit/worlds';
import { planProtection } from './plan.ts';
import { reportProtection } from './report.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const aProtectedPod = (value: string): Pod => {
  const pod = aPod('web', { nodeName: 'n', annotations: { [karpenterAnnotations.doNotDisrupt]: value } });
  return { ...pod, status: { ...pod.status, startTime: toTimestamp(now) } };
};

for (const { fact, value, at = now, told } of [
  { fact: 'that holds for ever is not told of', value: 'true', told: [] },
  {
    fact: 'for a while is told with its end',
    value: '30m',
    told: [
      'Normal DoNotDisruptUntil Pod/web: The karpenter.sh/do-not-disrupt grace period will elapse at 2024-03-01T12:30:00Z (uid-default-web, 2024-03-01T12:30:00Z)',
    ],
  },
  {
    fact: 'that is over is told of',
    value: '30m',
    at: fromTimestamp('2024-03-01T12:30:00Z'),
    told: [
      'Normal DoNotDisruptGracePeriodElapsed Pod/web: The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable (uid-default-web)',
    ],
  },
  {
    fact: 'that cannot be read is told with a hint',
    value: 'maybe',
    told: [
      'Warning InvalidDoNotDisruptAnnotation Pod/web: Invalid karpenter.sh/do-not-disrupt annotation: "maybe" is neither "true" nor a duration such as "30m", ignoring annotation (uid-default-web, maybe)',
    ],
  },
]) {
  test(`a protection ${fact}`, () => {
    const pod = aProtectedPod(value);
    expect(printEntries(reportProtection(pod, planProtection(pod, at)))).toEqual(told);
  });
}
