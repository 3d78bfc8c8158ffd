import { buildCommand } from '@stricli/core';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { kubernetesMinor } from '../../terminal/parsers.ts';
import type { PreflightFlags } from './flags.ts';

/** `nodewright preflight`. */
export const preflightCommand = buildCommand<PreflightFlags>({
  docs: { brief: 'Tell what an upgrade of the control plane would leave without an answer; only reads' },
  parameters: {
    flags: {
      kubernetesVersion: { kind: 'parsed', parse: kubernetesMinor, brief: 'Minor version to upgrade to, such as 1.34' },
      ...clusterFlags,
      ...schedulingFlags,
      output: outputFlag,
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./preflight.ts')).runPreflight,
});
