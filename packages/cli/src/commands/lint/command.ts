import { buildChoiceParser, buildCommand } from '@stricli/core';
import { manifestAliases, manifestFlag } from '../../reading/manifest-flags.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { kubernetesMinor, parseTimestamp } from '../../terminal/parsers.ts';
import type { LintFlags } from './flags.ts';

export const lintCommand = buildCommand<LintFlags>({
  docs: {
    brief: 'Tell what manifests do that few people expect: budgets, PodDisruptionBudgets, images, NodePools, windows',
    fullDescription: [
      'Reads manifests offline and tells what an API server accepts and what still does something else than people',
      'expect. Each finding has its place, field, value, why, and what to write instead.',
      'The remark "# nodewright:ignore RULE reason" at a field, or above it, silences a rule there.',
      'Exit status: 0 nothing found, 1 something at least as severe as --fail-on, 2 manifests that cannot be read.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      file: manifestFlag('Manifests; - is standard input'),
      kubernetesVersion: {
        kind: 'parsed',
        parse: kubernetesMinor,
        optional: true,
        placeholder: '1.NN',
        brief: 'Minor version of the cluster, for rules about images',
      },
      at: {
        kind: 'parsed',
        parse: parseTimestamp,
        optional: true,
        placeholder: 'TIME',
        brief: 'The instant from which windows and ages count [now]',
      },
      failOn: {
        kind: 'parsed',
        parse: buildChoiceParser(['error', 'warning', 'note']),
        default: 'warning',
        brief: 'Exit with 1 from this severity on',
      },
      rules: { kind: 'boolean', default: false, withNegated: false, brief: 'List the rules and end' },
      output: { ...outputFlag, brief: 'json or yaml: a LintReport' },
    },
    aliases: { ...manifestAliases, ...outputAliases },
  },
  loader: async () => (await import('./lint.ts')).lintFiles,
});
