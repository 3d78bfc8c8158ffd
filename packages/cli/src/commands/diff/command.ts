import { buildCommand } from '@stricli/core';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { manifestAliases, manifestFlag } from '../../reading/manifest-flags.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import type { DiffFlags } from './flags.ts';

/** `nodewright diff`. */
export const diffCommand = buildCommand<DiffFlags>({
  docs: { brief: 'Tell which nodes a change of NodePools and EC2NodeClasses would replace, and why; only reads' },
  parameters: {
    flags: {
      file: manifestFlag('Manifests as they would be applied'),
      ...clusterFlags,
      ...schedulingFlags,
      output: outputFlag,
    },
    aliases: { ...manifestAliases, ...outputAliases },
  },
  loader: async () => (await import('./diff.ts')).runDiff,
});
