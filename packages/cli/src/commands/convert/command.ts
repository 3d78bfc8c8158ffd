import { buildCommand } from '@stricli/core';
import { parsePlainText, dnsName, kubernetesMinor } from '../../terminal/parsers.ts';
import type { ConvertFlags } from './flags.ts';

export const convertCommand = buildCommand<ConvertFlags>({
  docs: {
    brief: 'Write manifests of older versions (Provisioner, AWSNodeTemplate, v1beta1) as v1',
    fullDescription: [
      'Reads manifests and writes them to stdout in v1: NodePools, NodeClaims and EC2NodeClasses of v1beta1,',
      'Provisioners and AWSNodeTemplates, amiFamily with a release (AL2-v20220824), selector maps with comma lists.',
      'Remarks stay where they can. Other kinds get the present names of labels and annotations.',
      'What could not carry over is told on stderr.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      filename: {
        kind: 'parsed',
        parse: parsePlainText,
        variadic: true,
        placeholder: 'FILE|DIR|-',
        brief: 'Manifests to read; - is standard input',
      },
      kubernetesVersion: {
        kind: 'parsed',
        parse: kubernetesMinor,
        optional: true,
        placeholder: '1.NN',
        brief: 'Minor version of the cluster, which names the images of Ubuntu',
      },
      clusterName: {
        kind: 'parsed',
        parse: dnsName,
        optional: true,
        placeholder: 'NAME',
        brief: 'Cluster whose role and discovery tags to fill in where a node class has none',
      },
    },
    aliases: { f: 'filename' },
  },
  loader: async () => (await import('./convert.ts')).convertManifests,
});
