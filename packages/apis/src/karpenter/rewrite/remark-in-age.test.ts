import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { withoutRemarkInAge } from './remark-in-age.ts';

const aTemplate = (amiSelector?: object, kind = 'AWSNodeTemplate'): KubernetesObject =>
  ({
    kind,
    metadata: { name: 'a' },
    spec: { amiFamily: 'AL2', ...(amiSelector === undefined ? {} : { amiSelector }) },
  }) as KubernetesObject;

test('what follows two slashes is a remark: it is told, and for those who do not guess a complaint', () => {
  const written = '10d  // metav1.Duration';
  const { manifest, remarks, complaint } = withoutRemarkInAge(aTemplate({ env: 'a', minimumAgeDuration: written }));
  expect(manifest).toEqual(aTemplate({ env: 'a', minimumAgeDuration: '10d' }));
  expect(remarks).toEqual([
    'spec.amiSelector.minimumAgeDuration "10d  // metav1.Duration" is read as 10d: // begins no comment in YAML, # does; lost a remark, # metav1.Duration',
  ]);
  expect(complaint).toEqual({
    field: 'spec.amiSelector.minimumAgeDuration',
    value: written,
    remedy: 'must be an age such as 10d; // begins no comment in YAML, # does: write 10d # metav1.Duration',
  });
});

test.each([
  ['an age without a remark', aTemplate({ minimumAgeDuration: '10d' })],
  ['an age that is no text', aTemplate({ minimumAgeDuration: 10 })],
  ['no age', aTemplate({ env: 'a' })],
  ['no selector', aTemplate()],
  ['no spec', { kind: 'AWSNodeTemplate', metadata: { name: 'a' } }],
  ['another kind', aTemplate({ minimumAgeDuration: '10d // x' }, 'EC2NodeClass')],
])('%s stays as it is', (_, written) => {
  const meant = withoutRemarkInAge(written);
  expect(meant).toEqual({ manifest: written, remarks: [] });
  expect(meant.manifest).toBe(written);
});
