import { fromTimestamp, type ImageRule, type VariantImage } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { findImageObstacle, judgeVariantImage } from './image-obstacle.ts';

const now = fromTimestamp('2024-03-01T00:00:00Z');
const ofMinor = (minor: string): string => `amazon-eks-node-al2023-x86_64-standard-${minor}-v20240129`;

const anImageOf = (more: Partial<VariantImage> = {}): VariantImage => ({
  source: 'EC2NodeClass/default',
  variant: 'AL2023/amd64/none',
  image: 'ami-1',
  name: ofMinor('1.29'),
  release: 'v20240129',
  ...more,
});
const aRule = (match: ImageRule['spec']['match'], verdict: 'Blocked' | 'Expedited' = 'Blocked'): ImageRule => ({
  metadata: { name: 'cve' },
  spec: { match, verdict, reason: 'CVE-1' },
});

type Given = { readonly rules?: readonly ImageRule[]; readonly gone?: readonly string[]; readonly server?: string };
const obstacleOf = (image: VariantImage, { rules = [], gone = [], server = '1.29' }: Given = {}) =>
  findImageObstacle(image, { rules, gone: new Set(gone), kubernetesVersion: server, now });

test('an image that EC2 does not have any more is gone, whatever the rules say', () => {
  expect(obstacleOf(anImageOf(), { gone: ['ami-0', 'ami-1'], rules: [aRule({ ids: ['ami-1'] })] })).toEqual({
    kind: 'gone',
  });
  expect(obstacleOf(anImageOf(), { gone: ['ami-0'] })).toBeUndefined();
});

describe('a rule that blocks', () => {
  test.each<readonly [fact: string, match: ImageRule['spec']['match'], isAbout: boolean]>([
    ['by id', { ids: ['ami-1'] }, true],
    ['by the id of another', { ids: ['ami-2'] }, false],
    ['by name', { names: ['amazon-eks-node-al2023-*'] }, true],
    ['by family and release', { family: 'AL2023', versions: ['v20240129'] }, true],
    ['by another family', { family: 'AL2' }, false],
    ['by architecture', { variants: { architectures: ['amd64'] } }, true],
    ['by another architecture', { variants: { architectures: ['arm64'] } }, false],
    ['by accelerator', { variants: { accelerators: ['none'] } }, true],
    ['by another accelerator', { variants: { accelerators: ['nvidia'] } }, false],
  ])('%s', (_, match, isAbout) => {
    const obstacle = obstacleOf(anImageOf(), { rules: [aRule(match)] });
    expect(obstacle).toEqual(isAbout ? { kind: 'blocked', rule: 'cve' } : undefined);
  });

  test('finds an image without a name by what is kept of it', () => {
    const { name: _, ...unnamed } = anImageOf();
    expect(obstacleOf(unnamed, { rules: [aRule({ family: 'AL2023', versions: ['v20240129'] })] })).toEqual({
      kind: 'blocked',
      rule: 'cve',
    });
    expect(obstacleOf(unnamed, { rules: [aRule({ names: ['amazon-*'] })] })).toBeUndefined();
    expect(obstacleOf(unnamed, { rules: [aRule({ names: ['*'] })] })).toEqual({ kind: 'blocked', rule: 'cve' });
  });

  test('is none for an image that only goes faster', () => {
    expect(obstacleOf(anImageOf(), { rules: [aRule({ ids: ['ami-1'] }, 'Expedited')] })).toBeUndefined();
    expect(judgeVariantImage(anImageOf(), [aRule({ ids: ['ami-1'] }, 'Expedited')], now)).toEqual({
      kind: 'expedited',
      rule: 'cve',
      reason: 'CVE-1',
    });
  });

  test('does not judge an image whose variant cannot be read', () => {
    expect(
      obstacleOf(anImageOf({ variant: 'AL2023/s390x/none' }), { rules: [aRule({ ids: ['ami-1'] })] }),
    ).toBeUndefined();
  });
});

describe('the kubelet of an image', () => {
  test.each([
    ['1.29', '1.29', false],
    ['1.26', '1.29', false],
    ['1.25', '1.29', true],
    ['1.30', '1.29', true],
    ['1.29', 'unknown', false],
  ])('of %s beside an API server of %s is out of its range: %s', (own, server, isOutside) => {
    expect(obstacleOf(anImageOf({ name: ofMinor(own) }), { server })).toEqual(
      isOutside ? { kind: 'outsideSkew', kubernetesVersion: server } : undefined,
    );
  });

  test.each([
    ['bottlerocket-aws-k8s-1.25-x86_64-v1.19.0-0a1b2c3d', true],
    ['bottlerocket-aws-k8s-1.29-x86_64-v1.19.0-0a1b2c3d', false],
    ['Windows_Server-2022-English-Core-EKS_Optimized-1.25-2024.02.13', true],
    ['our-own-image-1.25-v1', false],
    ['', false],
  ])('of the name "%s" is out of range beside 1.29: %s', (name, isOutside) => {
    expect(obstacleOf(anImageOf({ name }))?.kind).toBe(isOutside ? 'outsideSkew' : undefined);
  });

  test('of an image without a name is not judged', () => {
    const { name: _, ...unnamed } = anImageOf();
    expect(obstacleOf(unnamed)).toBeUndefined();
  });
});
