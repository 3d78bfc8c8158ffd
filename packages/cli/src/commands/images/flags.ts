import type { OutputFormat } from '../../terminal/output.ts';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';

export type ImagesFlags = ClusterFlags & {
  readonly nodeclass?: string;
  readonly family?: string;
  readonly kubernetesVersion?: string;
  readonly all: boolean;
  readonly output?: OutputFormat;
};
