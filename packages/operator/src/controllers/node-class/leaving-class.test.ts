import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';
import { aNodeClass } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { findLeavingClass } from './leaving-class.ts';

const deletionTimestamp = '2024-01-01T00:00:00Z';
const claim: NodeClaim = {
  metadata: { name: 'a' },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
};
const leavingClaim = { ...claim, metadata: { ...claim.metadata, deletionTimestamp } };
const staying = aNodeClass();
const leaving = { ...staying, metadata: { ...staying.metadata, deletionTimestamp } };

for (const { fact, asked, nodeClass, found } of [
  {
    fact: 'a class that is being deleted hears of a claim that leaves',
    asked: leavingClaim,
    nodeClass: leaving,
    found: ['default'],
  },
  { fact: 'a class that stays does not', asked: leavingClaim, nodeClass: staying, found: [] },
  { fact: 'a claim that stays tells nothing', asked: claim, nodeClass: leaving, found: [] },
  { fact: 'a class that is gone is not looked at', asked: leavingClaim, nodeClass: undefined, found: [] },
]) {
  test(fact, () => {
    const findClass = (): EC2NodeClass | undefined => nodeClass;
    expect(findLeavingClass(asked, findClass)).toEqual(found);
  });
}
