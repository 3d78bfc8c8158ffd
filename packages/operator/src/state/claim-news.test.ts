import type { NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { isNewsOfClaim } from './claim-news.ts';

const claim = (status: NodeClaim['status'], metadata: Partial<NodeClaim['metadata']> = {}): NodeClaim => ({
  metadata: { name: 'one', ...metadata },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  ...(status === undefined ? {} : { status }),
});

const initialized = { type: 'Initialized', status: 'True' as const };
const launched = { type: 'Launched', status: 'True' as const };
const drifted = { type: 'Drifted', status: 'True' as const, reason: 'AMIDrift' };

for (const { fact, before, after, isNews } of [
  { fact: 'a new claim', before: undefined, after: claim({}), isNews: true },
  { fact: 'a claim that is gone', before: claim({}), after: undefined, isNews: true },
  { fact: 'a drift', before: claim({}), after: claim({ conditions: [drifted] }), isNews: true },
  {
    fact: 'a deletion',
    before: claim({}),
    after: claim({}, { deletionTimestamp: '2024-01-01T00:00:00Z' }),
    isNews: true,
  },
  { fact: 'a command', before: claim({}), after: claim({}, { annotations: { command: '{}' } }), isNews: true },
  {
    fact: 'an event of its pods',
    before: claim({}),
    after: claim({ lastPodEventTime: '2024-01-01T00:00:00Z' }),
    isNews: false,
  },
  {
    fact: 'a node that is ready for pods',
    before: claim({}),
    after: claim({ conditions: [initialized] }),
    isNews: true,
  },
  { fact: 'a launch', before: claim({}), after: claim({ conditions: [launched] }), isNews: false },
  {
    fact: 'other words for a condition',
    before: claim({ conditions: [drifted] }),
    after: claim({ conditions: [{ ...drifted, message: 'since today' }] }),
    isNews: false,
  },
]) {
  test(`${fact} is ${isNews ? '' : 'no '}news`, () => {
    expect(isNewsOfClaim(before, after)).toBe(isNews);
  });
}
