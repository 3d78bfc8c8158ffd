import type { Instant } from '@nodewright/apis';

export type ImageVariant = 'standard' | 'nvidia' | 'neuron' | 'fips';

/**
 * One image as a selector term found it. An image that serves several variants of a family is
 * listed once for each.
 */
export type FoundImage = {
  readonly id: string;
  readonly name: string;
  readonly arch: 'amd64' | 'arm64';
  readonly createdAt: Instant;
  readonly deprecatedAt?: Instant;
  /** Which selector term found it (index), and through which variant of the family. */
  readonly term: number;
  readonly variant?: ImageVariant;
  /** Version as the alias would pin it: `v20240129`, `1.18.0`. */
  readonly version?: string;
  /** The minor that its name says it is made for, `1.29`; images of one's own say none. */
  readonly kubernetesVersion?: string;
  /** When the release got a parameter of its own; known for releases of an alias only. */
  readonly publishedAt?: Instant;
  /** True for the release that the moving (`latest`, `recommended`) parameter names now. */
  readonly recommended?: boolean;
  /** Since when that parameter names it. */
  readonly namedSince?: Instant;
  /** The version that parameter names, where it is known: also when the image behind it is gone. */
  readonly recommendedVersion?: string;
};
