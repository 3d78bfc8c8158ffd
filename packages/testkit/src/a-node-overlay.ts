import type { NodeOverlay } from '@nodewright/apis';

type OverlayTraits = Partial<NodeOverlay['spec']> & {
  /** Labels and their values, each `In`. */
  readonly of?: Readonly<Record<string, readonly string[]>>;
};

/** A NodeOverlay that applies to everything and changes nothing unless told otherwise. */
export function aNodeOverlay(name: string, { of = {}, ...spec }: OverlayTraits = {}): NodeOverlay {
  const requirements = Object.entries(of).map(([key, values]) => ({ key, operator: 'In' as const, values }));
  return {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name, uid: `uid-${name}`, generation: 1 },
    spec: { requirements, ...spec },
  };
}
