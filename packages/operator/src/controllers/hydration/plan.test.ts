import { awsLabels, type Node } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { hasNodeClassLabel, withNodeClassLabel } from './plan.ts';

test.each([
  ['without labels', {}, { [awsLabels.ec2NodeClass]: 'default' }],
  ['with others', { labels: { team: 'a' } }, { team: 'a', [awsLabels.ec2NodeClass]: 'default' }],
])('an object %s gets the label of its class', (_, labels, expected) => {
  const node: Node = { metadata: { name: 'ip-a', ...labels } };
  const labelled = withNodeClassLabel(node, 'default');
  expect(labelled).toEqual({ metadata: { name: 'ip-a', labels: expected } });
  expect([node, labelled].map(hasNodeClassLabel)).toEqual([false, true]);
});
