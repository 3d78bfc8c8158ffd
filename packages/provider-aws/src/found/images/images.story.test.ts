import type { DescribeImagesRequest } from '@aws-sdk/client-ec2';
import { type AmiSelectorTerm, fromTimestamp, instant, byText } from '@nodewright/apis';
import { decideImages, type FoundImage, type ImageQuery } from '@nodewright/engine';
import type { HttpRequest, RequestHandler } from '@nodewright/runtime';
import { builtInReleases, mergeReleases, parseReleases, ReleaseStore } from '@nodewright/aws-endpoints';
import { describe, expect, test } from 'vitest';
import { anAwsAccount, never } from '@nodewright/testkit/worlds';

const minute = 60_000;
const day = 24 * 60 * minute;

type Traits = {
  readonly start?: string;
  readonly releases?: readonly object[];
  /** Operations that the account may not call. */
  readonly denied?: readonly string[];
};

function aWorld({ start = '2024-02-02T12:00:00Z', releases = [], denied = [] }: Traits = {}) {
  const history = mergeReleases(builtInReleases(), parseReleases(releases));
  const { time, aws, cloudWith } = anAwsAccount({
    start: fromTimestamp(start),
    zones: 1,
    kubernetesVersion: '1.29',
    releases: history,
    around: (handle) => refusing(denied, handle),
  });
  const { nodeClasses } = cloudWith();
  const find = async (terms: readonly AmiSelectorTerm[], generation = 1): Promise<readonly FoundImage[]> =>
    (await time.finish(nodeClasses.images(queryFor(terms, generation), never))).images;
  return {
    aws,
    find,
    store: new ReleaseStore(history),
    now: () => time.clock.now(),
    pass: (ms: number) => time.run(instant(time.clock.now() + ms)),
    /** What was asked of AWS since the last time this was called. */
    asked: counted(aws),
    /** Names of what would be launched now. */
    selected: async (terms: readonly AmiSelectorTerm[]): Promise<readonly string[]> => {
      const images = await find(terms);
      return decideImages({ query: queryFor(terms), images, now: time.clock.now() }).selected.map(
        ({ name = '' }) => name,
      );
    },
  };
}

const queryFor = (terms: readonly AmiSelectorTerm[], generation = 1): ImageQuery => ({
  terms,
  kubernetesVersion: '1.29',
  asker: `class ${generation}`,
});

/** An account without the permission for some operations of SSM. */
function refusing(denied: readonly string[], handle: RequestHandler): RequestHandler {
  const target = ({ headers }: HttpRequest): string => headers['x-amz-target'] ?? headers['X-Amz-Target'] ?? '';
  const body = Buffer.from(JSON.stringify({ __type: 'AccessDeniedException', message: 'no' }));
  return async (request, signal) =>
    denied.some((operation) => target(request).endsWith(`.${operation}`))
      ? { status: 400, headers: { 'content-type': 'application/x-amz-json-1.1' }, body }
      : handle(request, signal);
}

function counted(aws: { calls(): readonly { readonly operation: string }[] }): () => readonly string[] {
  let before = 0;
  return () => {
    const calls = aws.calls().map(({ operation }) => operation);
    const fresh = calls.slice(before);
    before = calls.length;
    return fresh.toSorted();
  };
}

const latest: readonly AmiSelectorTerm[] = [{ alias: 'al2@latest' }];

describe('what was found is believed', () => {
  test('for a minute where a parameter moves: read together, then described', async () => {
    const { find, asked, pass } = aWorld();
    await find(latest);
    expect(asked()).toEqual(['DescribeImages', 'GetParameters']);
    await pass(minute - 1);
    await find(latest);
    expect(asked()).toEqual([]);
    await pass(1);
    await find(latest);
    expect(asked()).toEqual(['DescribeImages', 'GetParameters']);
  });

  test('for a day where a release is pinned, though its image may go', async () => {
    const { find, asked, pass } = aWorld();
    const pinned = [{ alias: 'al2023@v20240117' }];
    await find(pinned);
    asked();
    await pass(day - minute);
    await find([...pinned]);
    // Variants that were never published are looked for again.
    expect(asked()).toEqual(['DescribeImages', 'GetParameters']);
  });

  test("for five minutes where the parameter is the user's own", async () => {
    const { find, asked, pass } = aWorld();
    const ssmParameter = '/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id';
    await find([{ ssmParameter }]);
    expect(asked()).toEqual(['DescribeImages', 'GetParameter']);
    await pass(4 * minute);
    await find([{ ssmParameter }]);
    expect(asked()).toEqual(['DescribeImages']);
    await pass(minute);
    await find([{ ssmParameter }]);
    expect(asked()).toEqual(['DescribeImages', 'GetParameter']);
  });

  test('also when nothing was found, but not when a parameter of the user is not there', async () => {
    const { find, asked, pass } = aWorld();
    await find([{ tags: { team: 'none' } }]);
    await find([{ alias: 'windows2025@latest' }]);
    expect(asked()).toEqual(['DescribeImages', 'GetParameters']);
    await pass(minute - 1);
    await find([{ tags: { team: 'none' } }]);
    await find([{ alias: 'windows2025@latest' }]);
    expect(asked()).toEqual([]);
    await find([{ ssmParameter: '/golden' }]);
    await find([{ ssmParameter: '/golden' }]);
    expect(asked()).toEqual(['GetParameter', 'GetParameter']);
  });

  test('by the terms that asked: two classes, or other terms, share parameters and no images', async () => {
    const { find, asked } = aWorld();
    await find([{ tags: { team: 'a' } }]);
    await find([{ tags: { team: 'b' } }]);
    expect(asked()).toEqual(['DescribeImages', 'DescribeImages']);
    await find(latest);
    asked();
    await find([{ alias: 'al2@latest', minimumAgeDuration: '0' }]);
    expect(asked()).not.toContain('GetParameters');
  });

  test('until a release that is pinned, or selected by its age, is gone: then it is read again', async () => {
    const { aws, find, pass, now } = aWorld({ start: '2024-02-12T12:00:00Z' });
    const pinned = [{ alias: 'al2@v20240202' }];
    const baked = [{ alias: 'al2@latest', minimumAgeDuration: '5d' }];
    const ids = async (terms: readonly AmiSelectorTerm[]) => new Set((await find(terms)).map(({ id }) => id));
    await ids(pinned);
    await ids(baked);
    const withdrawn = aws.releases.withdraw({ family: 'AL2', version: 'v20240202', kubernetesVersion: '1.29' }, now());
    await pass(minute);
    expect(await ids(pinned)).toEqual(new Set());
    await ids(baked);
    for (const release of withdrawn) {
      const { withdrawnAt: _gone, ...again } = release;
      aws.releases.publish({
        ...again,
        imageId: release.imageId.replace('ami-0', 'ami-1'),
        publishedAt: '2024-02-12T12:01:00Z',
      });
    }
    await pass(minute);
    const expected = withdrawn.map(({ imageId }) => imageId.replace('ami-0', 'ami-1'));
    expect(await ids(pinned)).toEqual(new Set(expected));
    await pass(day);
    expect([...(await ids(baked))]).toEqual(expect.arrayContaining(expected));
  });

  test('until the pointer moves back: a release published again on the same day counts from then', async () => {
    const { aws, selected, pass, now } = aWorld({ start: '2024-02-07T12:00:00Z' });
    const baked = [{ alias: 'al2@latest', minimumAgeDuration: '20h' }];
    expect(await selected(baked)).not.toContain('amazon-eks-node-1.29-v20240202');
    aws.releases.withdraw({ family: 'AL2', version: 'v20240202' }, now());
    await pass(30 * minute);
    await selected(baked);
    for (const release of aws.releases.list({ family: 'AL2', version: 'v20240202', kubernetesVersion: '1.29' })) {
      const { withdrawnAt: _gone, ...again } = release;
      aws.releases.publish({ ...again, publishedAt: '2024-02-07T12:30:00Z' });
    }
    await pass(3 * 60 * minute);
    expect(await selected(baked)).not.toContain('amazon-eks-node-1.29-v20240202');
    await pass(17 * 60 * minute);
    expect(await selected(baked)).toContain('amazon-eks-node-1.29-v20240202');
  });

  test('until the spec changes', async () => {
    const { find, asked } = aWorld();
    await find(latest, 1);
    asked();
    await find(latest, 2);
    expect(asked()).toEqual(['DescribeImages']);
  });

  test('a history is listed again only when the parameter names another release', async () => {
    const { find, asked, pass } = aWorld({ start: '2024-02-06T17:00:00Z' });
    const baked = [{ alias: 'al2@latest', minimumAgeDuration: '3d' }];
    await find(baked);
    expect(asked()).toContain('GetParametersByPath');
    await pass(30 * minute);
    await find(baked);
    expect(asked()).not.toContain('GetParametersByPath');
    await pass(30 * minute);
    await find(baked);
    expect(asked()).toContain('GetParametersByPath');
  });
});

describe('where AWS refuses', () => {
  test('reading several parameters at once, they are read one by one', async () => {
    const { find } = aWorld({ denied: ['GetParameters'] });
    expect((await find(latest)).map(({ variant = '' }) => variant).toSorted(byText)).toEqual([
      'neuron',
      'nvidia',
      'standard',
      'standard',
    ]);
  });

  test('listing releases, they are found by name and age from their creation', async () => {
    const { selected } = aWorld({ denied: ['GetParametersByPath'] });
    // v20240129 was made four days before; its parameter is one day old.
    const chosen = await selected([{ alias: 'al2@latest', minimumAgeDuration: '2d' }]);
    expect(chosen).toContain('amazon-eks-node-1.29-v20240117');
  });

  test('everything, the lookup fails and tells nothing', async () => {
    const { find } = aWorld({ denied: ['GetParameters', 'GetParameter'] });
    await expect(find(latest)).rejects.toThrow();
  });
});

test('Windows, which has one moving parameter, is baked by the names of its images', async () => {
  const { selected } = aWorld({ start: '2024-02-20T12:00:00Z' });
  expect(await selected([{ alias: 'windows2022@latest' }])).toEqual([
    'Windows_Server-2022-English-Core-EKS_Optimized-1.29-2024.02.14',
  ]);
  expect(await selected([{ alias: 'windows2022@latest', minimumAgeDuration: '10d' }])).toEqual([
    'Windows_Server-2022-English-Core-EKS_Optimized-1.29-2024.01.10',
  ]);
});

for (const { alias, count } of [
  { alias: 'al2@latest', count: 4 },
  { alias: 'bottlerocket@latest', count: 5 },
  { alias: 'bottlerocket@1.18.0', count: 5 },
  { alias: 'bottlerocket@v1.18.0', count: 5 },
  { alias: 'windows2019@latest', count: 1 },
  { alias: 'al2@v20240118', count: 0 },
]) {
  test(`${alias} stands for ${count} images`, async () => {
    expect(await aWorld().find([{ alias }])).toHaveLength(count);
  });
}

test('a parameter of the user that holds no image id is as good as none', async () => {
  const { find, asked } = aWorld();
  expect(
    await find([{ ssmParameter: '/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_name' }]),
  ).toEqual([]);
  expect(asked()).toEqual(['GetParameter']);
});

test('images of one kind are asked for in one query, others each in their own, with the owners they need', async () => {
  const { aws, find } = aWorld();
  const ssmParameter = '/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id';
  await find([
    { id: 'ami-0aaaaaaaaaaaaaaa1' },
    { id: 'ami-0aaaaaaaaaaaaaaa2' },
    { ssmParameter },
    { name: 'golden-*' },
    { name: 'golden-*', owner: '123456789012' },
    { tags: { team: 'a', env: '*' } },
    { tags: { team: 'a' }, owner: 'self' },
    { name: 'golden-?', tags: { team: 'a' } },
  ]);
  const queries = aws
    .calls()
    .filter(({ operation }) => operation === 'DescribeImages')
    .map(({ input }) => {
      const { Filters = [], Owners = [], IncludeDeprecated, MaxResults } = input as DescribeImagesRequest;
      expect([IncludeDeprecated, MaxResults]).toEqual([true, 1000]);
      const filters = Filters.map(
        ({ Name, Values = [] }) => `${Name} ${Name === 'image-id' ? Values.length : Values.join()}`,
      );
      expect(filters).toContain('state available');
      return `${Owners.join() || 'any'}: ${filters.filter((filter) => filter !== 'state available').join(', ')}`;
    });
  expect(queries.toSorted(byText)).toEqual([
    '123456789012: name golden-*',
    'any: image-id 3',
    'any: tag-key env, tag:team a',
    'self,amazon: name golden-*',
    'self,amazon: name golden-?, tag:team a',
    'self: tag:team a',
  ]);
});

test('a name finds images of self and amazon, whatever others publish', async () => {
  const { find } = aWorld();
  expect(await find([{ name: 'ubuntu-eks/k8s_1.29/*20240118*' }])).toEqual([]);
  expect(await find([{ name: 'amazon-eks-node-1.29-v202401*' }])).toHaveLength(2);
});

describe('sixty days of releases', () => {
  const terms: Readonly<Record<string, readonly AmiSelectorTerm[]>> = {
    pinned: [{ alias: 'al2@v20240117' }],
    latest,
    baked: [{ alias: 'al2@latest', minimumAgeDuration: '10d' }],
    bakedForTwoWeeks: [{ alias: 'al2@latest', minimumAgeDuration: '2w' }],
  };
  const standard = (names: readonly string[]): string =>
    names.find((name) => name.startsWith('amazon-eks-node-')) ?? 'none';

  test('are followed as an independent table says, day by day', async () => {
    const world = aWorld({ start: '2024-01-24T12:00:00Z' });
    const line = world.store.list({ family: 'AL2', variant: 'standard', arch: 'amd64', kubernetesVersion: '1.29' });
    const newestOutFor = (ms: number): string =>
      line.find(({ publishedAt }) => Date.parse(publishedAt) <= world.now() - ms)?.name ?? 'none';
    const [seen, expected]: [object[], object[]] = [[], []];
    for (let at = 0; at < 60; at += 1) {
      const row: Record<string, string> = {};
      for (const [name, each] of Object.entries(terms)) row[name] = standard(await world.selected(each));
      seen.push(row);
      expected.push({
        pinned: 'amazon-eks-node-1.29-v20240117',
        latest: newestOutFor(0),
        baked: newestOutFor(10 * day),
        bakedForTwoWeeks: newestOutFor(14 * day),
      });
      await world.pass(day);
    }
    expect(seen).toEqual(expected);
    expect(new Set(seen.map((row) => (row as { latest: string }).latest)).size).toBeGreaterThan(4);
  });
});
