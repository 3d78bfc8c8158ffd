import type { ServedCustomResource } from './karpenter.ts';
import type { CustomResourceDefinition } from '../schema/custom-resource-definition.ts';
import { nodeGroupDefinition } from '../nodewright/node-group.ts';

/** The definitions of Nodewright's own kinds, `nodewright.dev/v1alpha1`. Deleting them leaves plain Karpenter. */
export const ownCrds = (): readonly CustomResourceDefinition[] => [nodeGroupDefinition()];

/** What an embedded API server serves of Nodewright. There is one version, so nothing is converted. */
export const nodewrightCustomResources: readonly ServedCustomResource[] = ownCrds().map((crd) => ({
  crd,
  conversion: (object) => object,
}));
