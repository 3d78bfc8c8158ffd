import { expect, test } from 'vitest';
import { imageKindOf } from './image-kind.ts';

for (const { amiType, kind } of [
  { amiType: 'AL2_x86_64', kind: 'al2 amd64 standard' },
  { amiType: 'AL2_x86_64_GPU', kind: 'al2 amd64 nvidia' },
  { amiType: 'AL2_ARM_64', kind: 'al2 arm64 standard' },
  { amiType: 'AL2023_x86_64_NEURON', kind: 'al2023 amd64 neuron' },
  { amiType: 'AL2023_ARM_64_NVIDIA', kind: 'al2023 arm64 nvidia' },
  { amiType: 'BOTTLEROCKET_x86_64_FIPS', kind: 'bottlerocket amd64 fips' },
  { amiType: 'WINDOWS_CORE_2022_x86_64', kind: 'windows2022 amd64 standard' },
  { amiType: 'CUSTOM', kind: undefined },
]) {
  test(`SSM-3: ${amiType} is ${kind ?? 'whatever the template says'}`, () => {
    const found = imageKindOf(amiType);
    expect(found && `${found.family} ${found.arch} ${found.variant}`).toBe(kind);
  });
}
