import { type Cloud, CloudError, type ScalingGroup } from '@nodewright/ports';
import { expect, test } from 'vitest';
import { findGroupOfInstance } from './group-of-instance.ts';

const aGroup = (name: string, ids: readonly string[]) =>
  ({ name, instances: ids.map((id) => ({ id })) }) as unknown as ScalingGroup;

const cloudWith = (describe: (name: string) => ScalingGroup | undefined) =>
  ({
    scalingGroups: { list: async () => ['blue', 'gone', 'green'], describe: async (name: string) => describe(name) },
  }) as unknown as Pick<Cloud, 'scalingGroups'>;

const groups = new Map([
  ['blue', aGroup('blue', ['i-1'])],
  ['green', aGroup('green', ['i-2', 'i-3'])],
]);

test('the group that has the instance is found; one that has just gone is passed over', async () => {
  const cloud = cloudWith((name) => groups.get(name));
  expect(await findGroupOfInstance(cloud, 'i-3')).toBe(groups.get('green'));
  expect(await findGroupOfInstance(cloud, 'i-4')).toBeUndefined();
});

test('who may not read groups gets none; a defect is not hidden', async () => {
  const failing = (error: Error) =>
    cloudWith(() => {
      throw error;
    });
  const forbidden = new CloudError('AccessDenied', { code: 'AccessDenied', retry: 'backOff' });
  expect(await findGroupOfInstance(failing(forbidden), 'i-1')).toBeUndefined();
  await expect(findGroupOfInstance(failing(new TypeError('a defect')), 'i-1')).rejects.toThrow('a defect');
});
