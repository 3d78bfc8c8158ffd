import { aNodeClass } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { buildNodeClassImageQuery } from './image-query.ts';

const nodeClass = aNodeClass({ amiSelectorTerms: [{ alias: 'al2023@latest' }] });
const metadata = { name: 'default', uid: 'u', generation: 3 };
const asked = { terms: [{ alias: 'al2023@latest' }], kubernetesVersion: '1.29', asker: 'u 3' };

test('a class asks for its terms, as itself and at its generation', () => {
  expect(buildNodeClassImageQuery({ ...nodeClass, metadata }, '1.29')).toStrictEqual(asked);
});

test('an annotation has the minimum age of terms without one', () => {
  const annotations = { 'nodewright.dev/minimum-age-duration': '10d' };
  expect(buildNodeClassImageQuery({ ...nodeClass, metadata: { ...metadata, annotations } }, '1.29')).toStrictEqual({
    ...asked,
    defaultMinimumAge: '10d',
  });
});
