import { expect, test } from 'vitest';
import { bufferSize } from './buffer-size.ts';

const requests = { cpu: 500, memory: 2 ** 30 };
const podTemplateRef = { name: 'web' };
const scalableRef = { apiGroup: 'apps', kind: 'Deployment', name: 'web' };

test.each([
  { fact: 'what replicas say', spec: { podTemplateRef, replicas: 3 }, is: 3 },
  { fact: 'none of none', spec: { podTemplateRef, replicas: 0 }, is: 0 },
  { fact: 'a share of the workload, rounded up', spec: { scalableRef, percentage: 25 }, workloadReplicas: 10, is: 3 },
  { fact: 'one of a small share', spec: { scalableRef, percentage: 1 }, workloadReplicas: 1, is: 1 },
  { fact: 'more than the workload', spec: { scalableRef, percentage: 150 }, workloadReplicas: 4, is: 6 },
  { fact: 'none of zero percent', spec: { scalableRef, percentage: 0 }, workloadReplicas: 10, is: 0 },
  { fact: 'none of a workload that wants none', spec: { scalableRef, percentage: 50 }, workloadReplicas: 0, is: 0 },
  { fact: 'none of a share of a PodTemplate', spec: { podTemplateRef, percentage: 50 }, is: 0 },
  {
    fact: 'the greater of replicas and share',
    spec: { scalableRef, replicas: 2, percentage: 50 },
    workloadReplicas: 10,
    is: 5,
  },
  {
    fact: 'replicas where they are the greater',
    spec: { scalableRef, replicas: 7, percentage: 50 },
    workloadReplicas: 10,
    is: 7,
  },
  { fact: 'what the limits hold', spec: { podTemplateRef, limits: { cpu: '2' } }, is: 4 },
  { fact: 'what the tightest limit holds', spec: { podTemplateRef, limits: { cpu: '10', memory: '3Gi' } }, is: 3 },
  { fact: 'whole units alone', spec: { podTemplateRef, limits: { cpu: '1900m' } }, is: 3 },
  { fact: 'none within a limit that is too small', spec: { podTemplateRef, limits: { cpu: '100m' } }, is: 0 },
  { fact: 'no more than limits hold', spec: { podTemplateRef, replicas: 9, limits: { cpu: '2' } }, is: 4 },
  { fact: 'replicas within generous limits', spec: { podTemplateRef, replicas: 2, limits: { cpu: '9' } }, is: 2 },
  {
    fact: 'replicas, limits of other resources aside',
    spec: { podTemplateRef, replicas: 9, limits: { 'example.com/x': '1' } },
    is: 9,
  },
  { fact: 'none where limits say nothing', spec: { podTemplateRef, limits: { 'example.com/x': '1' } }, is: 0 },
  { fact: 'none of a workload when nothing is said', spec: { scalableRef }, workloadReplicas: 10, is: 0 },
  {
    fact: 'what limits hold when the workload wants none',
    spec: { scalableRef, percentage: 50, limits: { cpu: '1' } },
    workloadReplicas: 0,
    is: 2,
  },
])('a buffer has $fact', ({ spec, workloadReplicas, is }) => {
  expect(bufferSize(spec, { requests, ...(workloadReplicas === undefined ? {} : { workloadReplicas }) })).toBe(is);
});
