import { buildCommand } from '@stricli/core';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { parseConversionService } from '../../terminal/parsers.ts';
import type { CrdsFlags } from './flags.ts';

/** `nodewright crds`. */
export const crdsCommand = buildCommand<CrdsFlags>({
  docs: {
    brief: 'Print the CustomResourceDefinitions: NodePool, NodeClaim, EC2NodeClass, and our own kinds',
    fullDescription: [
      'With --upgrade-check, compares them with those of a cluster instead and only reads: versions that are stored,',
      'webhooks, fields that objects would lose, and objects that the new rules refuse.',
      'With --conversion-webhook, NodePool, NodeClaim and EC2NodeClass are served as v1beta1 too.',
      'Exit status: 0 nothing stands against applying them, 3 something does.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      upgradeCheck: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'Tell what applying them to a cluster would change, and what stands against it',
      },
      conversionWebhook: {
        kind: 'parsed',
        parse: parseConversionService,
        optional: true,
        placeholder: 'NAMESPACE/SERVICE',
        brief: 'Serve v1beta1 too, with the webhook of the controller behind this Service [v1 alone]',
      },
      ...clusterFlags,
      output: outputFlag,
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./crds.ts')).printCrds,
});
