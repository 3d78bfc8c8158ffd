import type { AmiSelectorTerm, Instant } from '@nodewright/apis';
import { fromTimestamp } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { adviceOn } from './image-advice.ts';
import { imageCandidates } from './image-candidate.ts';

const now = fromTimestamp('2024-03-01T00:00:00Z');
const kubernetesVersion = '1.29';

function adviceFor(
  terms: readonly AmiSelectorTerm[],
  images: readonly Parameters<typeof anImage>[1][],
  firstSeen: ReadonlyMap<string, Instant> = new Map(),
) {
  const query = { terms, kubernetesVersion };
  const found = images.map((traits, index) => anImage(`ami-${index}`, traits));
  return adviceOn(query, imageCandidates(query, found, { firstSeen, rules: [], now }), firstSeen);
}

const unbaked = 'is launched as soon as it is published: set minimumAgeDuration';

test.each<readonly [string, AmiSelectorTerm, object, readonly string[]]>([
  [
    'a moving alias is better baked or pinned to the release that is launched',
    { alias: 'al2023@latest' },
    { version: 'v20240129' },
    [`al2023@latest ${unbaked}, or pin a release as in al2023@v20240129`],
  ],
  ['one whose release is not known is better baked', { alias: 'al2023@latest' }, {}, [`al2023@latest ${unbaked}`]],
  [
    'one that cannot be pinned is better baked',
    { alias: 'windows2022@latest' },
    { version: '2024.02.13' },
    [`windows2022@latest ${unbaked}`],
  ],
  ['one that bakes is fine', { alias: 'al2023@latest', minimumAgeDuration: '10d' }, { published: '2024-01-02' }, []],
  ['a pin is fine', { alias: 'al2023@v20240129' }, { version: 'v20240129' }, []],
  ['an own image is fine', { tags: { team: 'a' } }, {}, []],
])('%s', (_, term, image, advice) => {
  expect(adviceFor([term], [image])).toEqual(advice);
});

test('each term is looked at by itself, and a release that one of them launches is what to pin', () => {
  const terms = [{ id: 'ami-0' }, { alias: 'al2@latest' }, { alias: 'al2023@latest', minimumAgeDuration: '1d' }];
  expect(adviceFor(terms, [{ term: 0 }, { term: 1, version: 'v20240117' }])).toEqual([
    `al2@latest ${unbaked}, or pin a release as in al2@v20240117`,
  ]);
});

test.each(['al2023-ami-2023.3.20240219.0-kernel-6.1-x86_64', 'amzn2-ami-kernel-5.10-hvm-2.0.20240223.0-x86_64-gp2'])(
  '%s is no image of EKS, which is said once',
  (name) => {
    const advice = adviceFor(
      [{ name }, { name }],
      [{ name }, { name, term: 1 }].map((traits) => ({ ...traits })),
    );
    expect(advice).toHaveLength(2);
    expect(advice[0]).toBe(
      `ami-0 (${name}) is plain Amazon Linux, not an EKS image: it has no kubelet and its nodes cannot join; EKS images are named amazon-eks-node-*`,
    );
  },
);

test('an image that several terms found is told of once', () => {
  const query = { terms: [{ id: 'ami-0' }, { name: 'x' }], kubernetesVersion };
  const found = [anImage('ami-0', { name: 'amzn2-ami-x' }), anImage('ami-0', { name: 'amzn2-ami-x', term: 1 })];
  const candidates = imageCandidates(query, found, { firstSeen: new Map(), rules: [], now });
  expect(adviceOn(query, candidates, new Map())).toHaveLength(1);
});

test("a name that only contains one of Amazon Linux is somebody else's", () => {
  expect(adviceFor([{ name: 'x' }], [{ name: 'my-al2023-ami-1' }])).toEqual([]);
});

const baked: AmiSelectorTerm = { alias: 'al2023@latest', minimumAgeDuration: '10d' };

test('an age that counts from the creation is said where it matters', () => {
  const counts = 'the age of ami-0 (image-ami-0) counts from its creation: when it was published is not known';
  expect(adviceFor([baked], [{}])).toEqual([counts]);
  expect(adviceFor([{ ...baked, minimumAgeDuration: '1ms' }], [{}])).toEqual([counts]);
  expect(adviceFor([baked], [{}], new Map([['ami-0', now]]))).toEqual([]);
  expect(adviceFor([baked], [{ published: '2024-01-02' }])).toEqual([]);
  expect(adviceFor([{ tags: { a: 'b' }, minimumAgeDuration: '10d' }], [{}])).toEqual([]);
  expect(adviceFor([{ alias: 'windows2022@latest' }], [{}])).toEqual([`windows2022@latest ${unbaked}`]);
});
