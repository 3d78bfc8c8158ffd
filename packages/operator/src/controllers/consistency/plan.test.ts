import { conditionOf, instant } from '@nodewright/apis';
import { aNode } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { aClaim } from '@nodewright/testkit/worlds';
import { planConsistency } from './plan.ts';

const { node = { metadata: { name: 'one' } } } = aNode('one', { allocatable: { cpu: '4', memory: '8Gi' } });
const small = { ...node, status: { ...node.status, capacity: { cpu: '1', memory: '8Gi' } } };
const claim = aClaim('one');
const expecting = {
  ...claim,
  spec: { ...claim.spec, resources: { requests: { cpu: '2' } } },
  status: { ...claim.status, capacity: { cpu: '4', memory: '8Gi' } },
};

for (const { fact, seen, status, problems } of [
  { fact: 'a node that is what was launched is consistent', seen: node, status: 'True', problems: 0 },
  { fact: 'a node with too few processors is not', seen: small, status: 'False', problems: 1 },
]) {
  test(fact, () => {
    const capable =
      seen === node ? { ...node, status: { ...node.status, capacity: { cpu: '4', memory: '8Gi' } } } : seen;
    const plan = planConsistency({ claim: expecting, node: capable }, instant(0));
    expect(plan.problems).toHaveLength(problems);
    expect(conditionOf(plan.after, 'ConsistentStateFound')).toMatchObject({
      status,
      ...(problems === 0
        ? {}
        : { reason: 'ConsistencyCheckFailed', message: `Consistency Check Failed: ${plan.problems.join('; ')}` }),
    });
  });
}
