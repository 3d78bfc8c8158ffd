import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import {
  reportClaimReleased,
  reportDeadline,
  reportGivenUp,
  reportGivingUp,
  reportInitialized,
  reportLaunched,
  reportMissingTaint,
  reportRegistered,
} from './report.ts';

const claim = {
  ...aClaim('one'),
  status: { providerID: 'aws:///zone-a/i-1', allocatable: { cpu: '4' }, nodeName: 'n' },
};
const node = { metadata: { name: 'n' }, status: { allocatable: { cpu: '3900m' } } };
const { uid } = claim.metadata;
const fields = '"NodeClaim":{"name":"one"},"provider-id":"aws:///zone-a/i-1"';
const now = fromTimestamp('2024-03-01T12:00:00Z');
const giveUp = (reason: Parameters<typeof reportGivingUp>[1]['reason']) =>
  reportGivingUp(claim, { reason, because: 'no luck' });

for (const { fact, entries, told } of [
  {
    fact: 'a launch, with what was bought',
    entries: reportLaunched(claim),
    told: [
      `info launched nodeclaim {${fields},"instance-type":"c4","zone":"zone-a","capacity-type":"on-demand","allocatable":{"cpu":"4"}}`,
    ],
  },
  {
    fact: 'want of capacity, on the claim',
    entries: giveUp('insufficient_capacity'),
    told: [
      `Warning InsufficientCapacityError NodeClaim/one: NodeClaim one event: no luck (${uid})`,
      `error failed launching nodeclaim {${fields},"error":"no luck"}`,
    ],
  },
  {
    fact: 'a class that is not ready, on the claim',
    entries: giveUp('nodeclass_not_ready'),
    told: [
      `Warning NodeClassNotReady NodeClaim/one: NodeClaim one event: no luck (${uid})`,
      `error failed launching nodeclaim {${fields},"error":"no luck"}`,
    ],
  },
  {
    fact: 'a launch that takes too long, in the log',
    entries: giveUp('launch_timeout'),
    told: [`error failed launching nodeclaim {${fields},"error":"no luck"}`],
  },
  { fact: 'no node that never joins, before its claim is deleted', entries: giveUp('registration_timeout'), told: [] },
  {
    fact: 'a claim that was given up, by the reason',
    entries: reportGivenUp(claim, { reason: 'registration_timeout' }),
    told: ['claimDisrupted one, "registration_timeout"'],
  },
  {
    fact: 'a node that joined without its taint',
    entries: reportMissingTaint(claim, node),
    told: [
      `error node joined without the unregistered taint {${fields},"node":"n"}`,
      `Warning UnregisteredTaintMissing NodeClaim/one: Missing karpenter.sh/unregistered taint which prevents registration related race conditions on Karpenter-managed nodes: pods may run on the node before it is set up (${uid})`,
    ],
  },
  {
    fact: 'a registration',
    entries: reportRegistered(claim, node),
    told: [`info registered nodeclaim {${fields},"node":"n"}`, 'nodeCreated one'],
  },
  {
    fact: 'an initialization, with what the node has',
    entries: reportInitialized(claim, node),
    told: [`info initialized nodeclaim {${fields},"node":"n","allocatable":{"cpu":"3900m"}}`],
  },
  {
    fact: 'when a drain is forced',
    entries: reportDeadline(claim, now),
    told: [
      `info annotated nodeclaim {${fields},"karpenter.sh/nodeclaim-termination-timestamp":"2024-03-01T12:00:00Z"}`,
      'Warning TerminationGracePeriodExpiring NodeClaim/one: All pods will be deleted by 2024-03-01T12:00:00Z (one)',
    ],
  },
  {
    fact: 'the end of a claim',
    entries: reportClaimReleased(claim, now),
    told: [`info deleted nodeclaim {${fields},"node":"n"}`, `claimTerminated one, ${now}`],
  },
]) {
  test(`the lifecycle of a claim reports ${fact}`, () => expect(printEntries(entries)).toEqual(told));
}
