import { buildCommand, buildRouteMap } from '@stricli/core';
import { completeNames } from '../../reading/name-completion.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { parsePeriod, parsePlainText } from '../../terminal/parsers.ts';
import type {
  RolloutApprovalFlags,
  RolloutFlags,
  RolloutRequestFlags,
  RolloutRollbackFlags,
  RolloutSkipSoakFlags,
  RolloutWatchFlags,
} from './flags.ts';

const optionalName = {
  kind: 'tuple',
  parameters: [
    {
      parse: parsePlainText,
      placeholder: 'name',
      optional: true,
      ...completeNames('rollout'),
      brief: 'A NodeRollout, or a NodeRolloutPolicy for its rollout under way [the only one]',
    },
  ],
} as const;

const rolloutFlags = { ...clusterFlags, output: outputFlag };
const requestFlags = {
  ...rolloutFlags,
  reason: {
    kind: 'parsed',
    parse: parsePlainText,
    placeholder: 'TEXT',
    brief: 'Why: it is kept on the rollout for everybody to read',
  },
  timeout: {
    kind: 'parsed',
    parse: parsePeriod,
    default: '30s',
    brief: 'How long to wait for the answer, in real time',
  },
} as const;
const waveFlag = (brief: string) =>
  ({ kind: 'parsed', parse: parsePlainText, optional: true, placeholder: 'WAVE', brief }) as const;

const endOfRequest = 'Ends with 0 when the controller accepts, 3 when it refuses, 4 when it does not answer in time.';

const listRolloutsCommand = buildCommand<RolloutFlags>({
  docs: { brief: 'List rollouts: by policy, the newest first' },
  parameters: { flags: rolloutFlags, aliases: outputAliases },
  loader: async () => (await import('./list.ts')).showRollouts,
});

const rolloutStatusCommand = buildCommand<RolloutFlags, [string?]>({
  docs: { brief: 'Show where a rollout stands: waves, failures, evidence, what it waits for, what can be done' },
  parameters: { flags: rolloutFlags, aliases: outputAliases, positional: optionalName },
  loader: async () => (await import('./status.ts')).showRollout,
});

const watchRolloutCommand = buildCommand<RolloutWatchFlags, [string?]>({
  docs: {
    brief: 'Show every change of a rollout until it ends',
    fullDescription: 'Ends with 0 when it is complete, 3 when it halts or is superseded, 4 when the time runs out.',
  },
  parameters: {
    flags: {
      ...rolloutFlags,
      timeout: { kind: 'parsed', parse: parsePeriod, default: '12h', brief: 'How long to watch at most, in real time' },
    },
    aliases: outputAliases,
    positional: optionalName,
  },
  loader: async () => (await import('./watch.ts')).watchRollout,
});

const historyCommand = buildCommand<RolloutFlags, [string?]>({
  docs: { brief: 'Show what a policy has proven, and how its last rollouts ended' },
  parameters: { flags: rolloutFlags, aliases: outputAliases, positional: optionalName },
  loader: async () => (await import('./history.ts')).showRolloutHistory,
});

const planRolloutCommand = buildCommand<RolloutFlags, [string?]>({
  docs: {
    brief: 'Show what happens next: waves, seats, earliest times, which nodes go first, and what each waits for',
    fullDescription:
      'Plans as the controller does, from what is stored, and writes nothing. Times hold if nothing fails and every node can be drained.',
  },
  parameters: { flags: rolloutFlags, aliases: outputAliases, positional: optionalName },
  loader: async () => (await import('./plan.ts')).showRolloutPlan,
});

const approveCommand = buildCommand<RolloutApprovalFlags, [string?]>({
  docs: { brief: 'Let a wave begin that waits for a person', fullDescription: endOfRequest },
  parameters: {
    flags: {
      ...requestFlags,
      wave: waveFlag('The wave [the one that waits]'),
      unexpectedDrift: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'Let nodes of a policy go that drift though no spec, image or version has changed',
      },
    },
    aliases: outputAliases,
    positional: optionalName,
  },
  loader: async () => (await import('./request.ts')).approveWave,
});

const haltCommand = buildCommand<RolloutRequestFlags, [string?]>({
  docs: { brief: 'Stop a rollout: no further node gets its images', fullDescription: endOfRequest },
  parameters: { flags: requestFlags, aliases: outputAliases, positional: optionalName },
  loader: async () => (await import('./request.ts')).haltRollout,
});

const resumeCommand = buildCommand<RolloutRequestFlags, [string?]>({
  docs: { brief: 'Go on with a halted rollout; its own ImageRules are deleted', fullDescription: endOfRequest },
  parameters: { flags: requestFlags, aliases: outputAliases, positional: optionalName },
  loader: async () => (await import('./request.ts')).resumeRollout,
});

const rollbackCommand = buildCommand<RolloutRollbackFlags, [string?]>({
  docs: {
    brief: 'Bring nodes back to the images that were proven before',
    fullDescription: `A rollout under way goes back to what is proven, one that has ended to what was proven before it, or to the release that --to names. ${endOfRequest}`,
  },
  parameters: {
    flags: {
      ...requestFlags,
      to: {
        kind: 'parsed',
        parse: parsePlainText,
        optional: true,
        placeholder: 'RELEASE',
        brief: 'A release that was proven before, as `rollout history` shows it [the last one]',
      },
    },
    aliases: outputAliases,
    positional: optionalName,
  },
  loader: async () => (await import('./request.ts')).takeRolloutBack,
});

const skipSoakCommand = buildCommand<RolloutSkipSoakFlags, [string?]>({
  docs: { brief: 'End the soak of a wave', fullDescription: endOfRequest },
  parameters: {
    flags: { ...requestFlags, wave: waveFlag('The wave [the one under way]') },
    aliases: outputAliases,
    positional: optionalName,
  },
  loader: async () => (await import('./request.ts')).skipSoak,
});

export const rolloutCommand = buildRouteMap({
  routes: {
    list: listRolloutsCommand,
    status: rolloutStatusCommand,
    watch: watchRolloutCommand,
    plan: planRolloutCommand,
    history: historyCommand,
    approve: approveCommand,
    halt: haltCommand,
    resume: resumeCommand,
    rollback: rollbackCommand,
    skipSoak: skipSoakCommand,
  },
  docs: { brief: 'Rollouts of images: how far they are, and requests of people' },
});
