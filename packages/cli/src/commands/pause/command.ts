import { buildChoiceParser, buildCommand } from '@stricli/core';
import { completeNames } from '../../reading/name-completion.ts';
import type { NamedKind } from '../../reading/named-kind.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { outputFlag } from '../../terminal/output.ts';
import { parsePeriod, parsePlainText } from '../../terminal/parsers.ts';
import type { PauseFlags, ResumeFlags } from './flags.ts';

const nameFlag = (kind: NamedKind, brief: string) =>
  ({
    kind: 'parsed',
    parse: parsePlainText,
    variadic: ',',
    optional: true,
    placeholder: 'NAME',
    brief,
    ...completeNames(kind),
  }) as const;

const scopeFlags = {
  nodepool: nameFlag('nodePool', 'A NodePool; several by commas'),
  nodegroup: nameFlag('nodeGroup', 'A NodeGroup; several by commas'),
  selector: {
    kind: 'parsed',
    parse: parsePlainText,
    optional: true,
    placeholder: 'LABELS',
    brief: 'Labels of NodePools and NodeGroups, as kubectl takes them',
  },
} as const;

const scopeAliases = { o: 'output', l: 'selector' } as const;

export const pauseCommand = buildCommand<PauseFlags>({
  docs: {
    brief: 'Keep voluntary disruption from beginning',
    fullDescription:
      'Drift, consolidation and expiry wait; pods get nodes, interruptions are handled and broken nodes are repaired. Without --nodepool, --nodegroup and -l everything waits.',
  },
  parameters: {
    flags: {
      ...clusterFlags,
      ...scopeFlags,
      reason: {
        kind: 'parsed',
        parse: parsePlainText,
        placeholder: 'TEXT',
        brief: 'Why: people read it wherever the pause has an effect',
      },
      for: {
        kind: 'parsed',
        parse: parsePeriod,
        optional: true,
        placeholder: 'AGE',
        brief: 'How long, such as 2h [asked for on a terminal]',
      },
      only: {
        kind: 'parsed',
        parse: buildChoiceParser(['Drifted', 'Empty', 'Underutilized', 'Expired']),
        variadic: ',',
        optional: true,
        placeholder: 'REASON',
        brief: 'Disruption for this reason alone; several by commas',
      },
      inFlight: {
        kind: 'parsed',
        parse: buildChoiceParser(['Finish', 'Revert']),
        default: 'Finish',
        brief: 'What becomes of replacements that have begun: Finish, or Revert where the new node has not joined yet',
      },
      output: outputFlag,
    },
    aliases: scopeAliases,
  },
  loader: async () => (await import('./pause.ts')).pauseDisruption,
});

export const resumeCommand = buildCommand<ResumeFlags, [string?]>({
  docs: {
    brief: 'End a pause',
    fullDescription: 'The named one, those of exactly the given scope, the only one, or with --all every one.',
  },
  parameters: {
    flags: {
      ...clusterFlags,
      ...scopeFlags,
      all: { kind: 'boolean', default: false, withNegated: false, brief: 'End every pause' },
      output: outputFlag,
    },
    aliases: scopeAliases,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: parsePlainText,
          placeholder: 'name',
          optional: true,
          brief: 'A DisruptionPause',
          ...completeNames('disruptionPause'),
        },
      ],
    },
  },
  loader: async () => (await import('./resume.ts')).resumeDisruption,
});
