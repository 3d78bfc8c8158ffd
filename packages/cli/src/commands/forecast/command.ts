import { buildChoiceParser, buildCommand } from '@stricli/core';
import { parseAge } from '@nodewright/apis';
import { parseFailOn } from '@nodewright/forecast/fail-on';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { manifestAliases, manifestFlag } from '../../reading/manifest-flags.ts';
import { kubernetesMinor, parsePlainText, parseTimestamp, parseWholeNumber } from '../../terminal/parsers.ts';
import type { ForecastFlags } from './flags.ts';
import { parseGroupUpdate } from './parse-group-update.ts';
import { parseForecastRelease } from './parse-release.ts';

/** `nodewright forecast`. */
export const forecastCommand = buildCommand<ForecastFlags>({
  docs: { brief: 'Tell what a change, a release or an upgrade will do to a cluster, and when; only reads' },
  parameters: {
    flags: {
      snapshot: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        placeholder: 'FILE',
        brief: 'What nodewright snapshot wrote [the cluster of the kubeconfig now]',
      },
      file: manifestFlag('Manifests as they would be applied'),
      release: {
        kind: 'parsed',
        parse: parseForecastRelease,
        optional: true,
        variadic: true,
        placeholder: 'FAMILY=VERSION[,behavior=B]',
        brief: 'A release that comes out, for every variant of its family',
      },
      updateGroup: {
        kind: 'parsed',
        parse: parseGroupUpdate,
        optional: true,
        variadic: true,
        placeholder: 'NAME[=RELEASE]',
        brief: 'A managed node group that EKS is asked to update [to the release that it recommends]',
      },
      kubernetesVersion: {
        kind: 'parsed',
        parse: kubernetesMinor,
        optional: true,
        brief: 'Minor version to which the control plane is upgraded',
      },
      at: { kind: 'parsed', parse: parseTimestamp, optional: true, brief: 'When [at the instant of the snapshot]' },
      for: {
        kind: 'parsed',
        parse: parseAge,
        optional: true,
        placeholder: 'DURATION',
        brief: 'How long the cluster is followed from then on [24h]',
      },
      seeds: {
        kind: 'parsed',
        parse: parseWholeNumber,
        optional: true,
        placeholder: 'N',
        brief: 'How many runs, each with boot times and other chances of its own [10 up to 20 nodes, 3 from 67 on]',
      },
      failOn: {
        kind: 'parsed',
        parse: parseFailOn,
        optional: true,
        placeholder: 'CONDITIONS',
        brief: 'Status 3 when one holds: blocked,unschedulable,surge>N,late',
      },
      ...clusterFlags,
      ...schedulingFlags,
      output: {
        kind: 'parsed',
        parse: buildChoiceParser(['table', 'json', 'yaml', 'html', 'md']),
        default: 'table',
        brief: 'table, json, yaml, html (one file for a browser) or md (for a pull request)',
      },
    },
    aliases: { ...manifestAliases, o: 'output' },
  },
  loader: async () => (await import('./forecast.ts')).runForecastCommand,
});
