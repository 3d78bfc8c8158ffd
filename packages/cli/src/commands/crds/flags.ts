import type { ConversionService } from '@nodewright/apis';
import type { ClusterFlags } from '../../reading/cluster-flags.ts';
import type { OutputFormat } from '../../terminal/output.ts';

export type CrdsFlags = ClusterFlags & {
  readonly upgradeCheck: boolean;
  readonly conversionWebhook?: ConversionService;
  readonly output?: OutputFormat;
};
