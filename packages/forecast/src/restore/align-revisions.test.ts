import { hashOfTemplate } from '@nodewright/cluster-sim';
import { expect, test } from 'vitest';
import { alignRevisions } from './align-revisions.ts';

const template = { metadata: { labels: { app: 'agent' } }, spec: { containers: [] } };
const owner = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u', controller: true }];
const foreign = {
  'daemonsets.apps': [{ metadata: { name: 'agent', uid: 'u' }, spec: { selector: {}, template } }],
  'controllerrevisions.apps': [
    { metadata: { name: 'agent-1', ownerReferences: owner }, revision: 1 },
    { metadata: { name: 'agent-2', ownerReferences: owner }, revision: 2 },
  ],
  pods: [
    { metadata: { name: 'new', labels: { 'controller-revision-hash': '2' }, ownerReferences: owner } },
    { metadata: { name: 'old', labels: { 'controller-revision-hash': '1' }, ownerReferences: owner } },
  ],
};
const hash = hashOfTemplate(template);

test('the present revision of a set, and its pods, get the name that the embedded controllers look for', () => {
  const aligned = alignRevisions(foreign);
  expect(aligned['controllerrevisions.apps']?.map(({ metadata }) => metadata.name)).toEqual([
    'agent-1',
    `agent-${hash}`,
  ]);
  expect(aligned['pods']?.map(({ metadata }) => metadata.labels?.['controller-revision-hash'])).toEqual([hash, '1']);
});

test('a cluster whose revisions have these names stays as it is', () => {
  const aligned = alignRevisions(foreign);
  expect(alignRevisions(aligned)).toBe(aligned);
});
