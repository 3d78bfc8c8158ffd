import { expect, test } from 'vitest';
import { selectBootImage } from './boot-image.ts';
import { requirementsOfLabels } from './requirement-set.ts';

const arch = (value: string) => ({ key: 'kubernetes.io/arch', operator: 'In', values: [value] }) as const;
const withoutGpu = { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'DoesNotExist' } as const;
const images = [
  { id: 'plain-amd', requirements: [arch('amd64'), withoutGpu] },
  { id: 'amd', requirements: [arch('amd64')] },
  { id: 'arm', requirements: [arch('arm64')] },
];
const bootImageOf = (labels: Readonly<Record<string, string>>): string | undefined =>
  selectBootImage({ requirements: requirementsOfLabels(labels) }, images)?.id;

test('a type boots the first image whose requirements it meets; a label that it does not define is absent', () => {
  expect(bootImageOf({ 'kubernetes.io/arch': 'amd64' })).toBe('plain-amd');
  expect(bootImageOf({ 'kubernetes.io/arch': 'amd64', 'karpenter.k8s.aws/instance-gpu-count': '1' })).toBe('amd');
  expect(bootImageOf({ 'kubernetes.io/arch': 'arm64' })).toBe('arm');
  expect(bootImageOf({ 'kubernetes.io/arch': 'riscv' })).toBeUndefined();
  expect(bootImageOf({})).toBeUndefined();
});
