import { aNodeClass } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { explainNodeClass } from '../explain/explain-node-class.ts';
import { viewImages } from '../views/images.ts';
import { reportStoredImages } from './stored-images.ts';

const ami = {
  id: 'ami-2',
  name: 'amazon-eks-node-al2023-x86_64-standard-1.29-v20240202',
  requirements: [{ key: 'kubernetes.io/arch', operator: 'In' as const, values: ['amd64'] }],
};
const forGpus = { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Exists' as const };
const nodeClass = aNodeClass({}, { amis: [ami, { ...ami, requirements: [...ami.requirements, forGpus] }] });

const nodes = new Map([
  ['ami-1', 2],
  ['ami-2', 1],
]);

test('without AWS, images are those of the status and of the nodes, without dates', () => {
  const report = reportStoredImages(nodeClass, { nodes, kubernetesVersion: '1.29' });
  expect(
    viewImages([report]).map(({ image, release, state, nodes: count, publishedAt }) => [
      image,
      release,
      state,
      count,
      publishedAt,
    ]),
  ).toEqual([
    ['ami-1', undefined, 'unselected', 2, undefined],
    ['ami-2', 'v20240202', 'selected', 1, undefined],
  ]);
  const { answer, reasons } = explainNodeClass(nodeClass, report);
  expect(answer).toBe('launches v20240202 amd64 (ami-2)');
  expect(reasons.join('\n')).toContain('AWS does not answer here');
});

test('a NodeClass without images in its status launches nothing', () => {
  const report = reportStoredImages(aNodeClass(), { nodes: new Map(), kubernetesVersion: '1.29' });
  expect(explainNodeClass(aNodeClass(), report).answer).toBe('can launch nothing: its status names no image');
});
