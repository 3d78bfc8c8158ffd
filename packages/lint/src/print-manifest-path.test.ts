import { expect, test } from 'vitest';
import { printManifestPath } from './print-manifest-path.ts';

for (const { path, printed } of [
  { path: [], printed: '' },
  { path: ['spec', 'disruption', 'budgets', 0, 'nodes'], printed: 'spec.disruption.budgets[0].nodes' },
  {
    path: ['metadata', 'annotations', 'karpenter.sh/do-not-disrupt'],
    printed: 'metadata.annotations["karpenter.sh/do-not-disrupt"]',
  },
])
  test(`a path is printed as ${printed || 'nothing where it is the whole object'}`, () => {
    expect(printManifestPath(path)).toBe(printed);
  });
