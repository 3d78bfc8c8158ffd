import type { Snapshot } from '@nodewright/forecast';
import { expect, test } from 'vitest';
import { InputError } from '../../terminal/exit-status.ts';
import type { ForecastFlags } from './flags.ts';
import { refuseUnfitFlags } from './refuse-unfit.ts';

const image = { id: 'ami-1' };

const snapshotOf = (aws: object) =>
  ({
    takenAt: '2024-03-01T10:00:00Z',
    kubernetesVersion: '1.29',
    aws: { images: [{ kubernetesVersion: '1.29', alias: 'al2023@latest', images: [image] }], ...aws },
  }) as unknown as Snapshot;

const withGroups = snapshotOf({ managedGroups: [{ name: 'web' }, { name: 'batch' }] });

const refusalOf = (flags: Partial<ForecastFlags>, snapshot = withGroups): string => {
  try {
    refuseUnfitFlags({ output: 'table', ...flags }, snapshot);
    return 'none';
  } catch (failure) {
    expect(failure).toBeInstanceOf(InputError);
    return (failure as Error).message;
  }
};

test.each<[Partial<ForecastFlags>, string]>([
  [{}, 'none'],
  [{ at: Date.parse('2024-03-01T10:00:00Z') }, 'none'],
  [
    { at: Date.parse('2024-03-01T09:59:59Z') },
    '--at 2024-03-01T09:59:59Z: is before the snapshot; it begins at 2024-03-01T10:00:00Z',
  ],
  [{ for: 0 }, '--for 0s: follows nothing; a duration such as 30m, 24h or 10d is needed'],
  [{ kubernetesVersion: '1.30' }, 'none'],
  [{ kubernetesVersion: '1.29' }, '--kubernetes-version 1.29: is what the control plane has; EKS upgrades it to 1.30'],
  [{ kubernetesVersion: '1.31' }, '--kubernetes-version 1.31: cannot follow 1.29; EKS upgrades it to 1.30'],
  [{ kubernetesVersion: '1.28' }, '--kubernetes-version 1.28: cannot follow 1.29; EKS upgrades it to 1.30'],
  [{ release: [{ family: 'AL2023', version: 'v20240307' }] as never }, 'none'],
  [
    { release: [{ family: 'Bottlerocket', version: 'v1.20.0' }] as never },
    '--release Bottlerocket=v1.20.0: the snapshot has no release of Bottlerocket for 1.29, because no EC2NodeClass and no node group uses it; it has al2023',
  ],
  [{ updateGroup: [{ group: 'web' }] as never }, 'none'],
  [
    { updateGroup: [{ group: 'wbe' }] as never },
    '--update-group wbe: there is no such managed node group; the cluster has web, batch',
  ],
])('flags that the cluster has no answer for are refused with what would be right: %j', (flags, refusal) => {
  expect(refusalOf(flags)).toBe(refusal);
});

test('releases of another minor, and aliases without an image, are no releases that a forecast can build on', () => {
  const flags = { release: [{ family: 'AL2023', version: 'v20240307' }] as never };
  const ofOtherMinor = snapshotOf({ images: [{ kubernetesVersion: '1.30', alias: 'al2023@latest', images: [image] }] });
  expect(refusalOf(flags, ofOtherMinor)).toMatch(/^--release AL2023=v20240307: the snapshot has no release of AL2023/);
  const withoutImage = snapshotOf({ images: [{ kubernetesVersion: '1.29', alias: 'al2023@latest', images: [] }] });
  expect(refusalOf(flags, withoutImage)).toMatch(/^--release AL2023=v20240307: the snapshot has no release of AL2023/);
});

test('a cluster without managed node groups says so', () => {
  expect(refusalOf({ updateGroup: [{ group: 'web' }] as never }, snapshotOf({}))).toBe(
    '--update-group web: there is no such managed node group; the cluster has none',
  );
});
