import { buildCommand } from '@stricli/core';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { hostNames, parsePlainText, parsePort } from '../../terminal/parsers.ts';
import type { UiFlags } from './flags.ts';

export const uiCommand = buildCommand<UiFlags>({
  docs: {
    brief: 'Serve a page on this computer: fleet, rollouts, what holds nodes, images, money, pods, history',
    fullDescription:
      'The page shows what the caller of the kubeconfig may read, changes nothing, and is served on the loopback address alone.',
  },
  parameters: {
    flags: {
      port: { kind: 'parsed', parse: parsePort, default: '0', brief: 'Port of the page (0: any free one)' },
      allowedHosts: {
        kind: 'parsed',
        parse: hostNames,
        optional: true,
        brief:
          'Names beside localhost and loopback addresses under which browsers reach the page, such as that of a tunnel [none]',
      },
      forecast: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        placeholder: 'FILE',
        brief:
          'What `nodewright forecast -o json` printed: the history shows it beyond the present; read again when it changes',
      },
      ...clusterFlags,
      ...schedulingFlags,
    },
  },
  loader: async () => (await import('./ui.ts')).runUi,
});
