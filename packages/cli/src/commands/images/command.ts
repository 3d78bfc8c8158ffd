import { buildCommand } from '@stricli/core';
import { completeNames } from '../../reading/name-completion.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { parsePlainText, kubernetesMinor } from '../../terminal/parsers.ts';
import type { ImagesFlags } from './flags.ts';

export const imagesCommand = buildCommand<ImagesFlags>({
  docs: {
    brief: 'List image releases: how old, which is launched and why not a newer one, how many nodes run each',
    fullDescription:
      'For every EC2NodeClass of the cluster, one of them, or a family. Ends with 3 when some NodeClass has nothing to launch.',
  },
  parameters: {
    flags: {
      nodeclass: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        placeholder: 'NAME',
        brief: 'Only this EC2NodeClass',
        ...completeNames('ec2NodeClass'),
      },
      family: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        placeholder: 'FAMILY',
        brief:
          'A family instead of NodeClasses: AL2, AL2023, Bottlerocket, Ubuntu, Windows2019, Windows2022, Windows2025',
      },
      kubernetesVersion: {
        kind: 'parsed',
        parse: kubernetesMinor,
        optional: true,
        placeholder: '1.NN',
        brief: "Kubernetes minor version [the control plane's]",
      },
      all: { kind: 'boolean', default: false, withNegated: false, brief: 'Also releases older than the newest five' },
      ...clusterFlags,
      output: outputFlag,
    },
    aliases: outputAliases,
  },
  loader: async () => (await import('./images.ts')).listImages,
});
