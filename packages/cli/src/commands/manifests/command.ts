import { buildCommand } from '@stricli/core';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { parsePlainText } from '../../terminal/parsers.ts';
import type { ManifestsFlags } from './flags.ts';

export const manifestsCommand = buildCommand<ManifestsFlags>({
  docs: {
    brief: 'Print everything that the controller needs in a cluster: definitions, rights, Deployment',
    fullDescription: [
      'Prints manifests made from values, in the order in which they can be applied:',
      '  nodewright manifests --values values.yaml | kubectl apply --server-side -f -',
      'Required values are image and settings.clusterName. docs/real-clusters.md lists all of them.',
      'Exit status: 0 printed, 2 values that are wrong; each is told with its field and what would be right.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      values: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        placeholder: 'FILE|-',
        brief: 'Values in YAML or JSON; - is standard input',
      },
      output: { ...outputFlag, brief: 'yaml: a stream of documents [yaml], or json: one List' },
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./print-manifests.ts')).printInstallManifests,
});
