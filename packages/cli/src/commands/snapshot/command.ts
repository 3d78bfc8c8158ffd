import { buildCommand } from '@stricli/core';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { parsePlainText } from '../../terminal/parsers.ts';
import type { SnapshotFlags } from './flags.ts';

/** `nodewright snapshot`. */
export const snapshotCommand = buildCommand<SnapshotFlags>({
  docs: { brief: 'Write a cluster and its account to a file, for forecasts elsewhere; only reads' },
  parameters: {
    flags: {
      ...clusterFlags,
      ...schedulingFlags,
      output: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        placeholder: 'FILE|-',
        brief: 'Where to write it [snapshot-CLUSTER.json.gz]; - is standard output',
      },
      redact: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'Number names and leave out what may be private, for a file that others may read',
      },
    },
    aliases: { o: 'output' },
  },
  loader: async () => (await import('./snapshot.ts')).writeSnapshot,
});
