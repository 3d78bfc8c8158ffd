import { buildCommand, buildRouteMap } from '@stricli/core';
import { completeNames } from '../../reading/name-completion.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { parseDeploymentName, parsePeriod } from '../../terminal/parsers.ts';
import type { TakeoverFlags, TakeoverSwitchFlags } from './flags.ts';

const deploymentFlags = {
  karpenter: {
    kind: 'parsed',
    parse: parseDeploymentName,
    default: 'kube-system/karpenter',
    placeholder: 'NAMESPACE/NAME',
    brief: 'The Deployment of Karpenter [kube-system/karpenter]',
    ...completeNames('deployment'),
  },
  nodewright: {
    kind: 'parsed',
    parse: parseDeploymentName,
    default: 'kube-system/nodewright',
    placeholder: 'NAMESPACE/NAME',
    brief: 'The Deployment of Nodewright [kube-system/nodewright]',
    ...completeNames('deployment'),
  },
  ...clusterFlags,
  output: outputFlag,
} as const;

const timeoutFlag = {
  timeout: { kind: 'parsed', parse: parsePeriod, default: '5m', brief: 'How long the hand-over may take [5m]' },
} as const;

const check = buildCommand<TakeoverFlags>({
  docs: {
    brief: 'Tell whether Nodewright could take over from Karpenter now, and what would change; only reads',
    fullDescription: [
      'Looks at kinds, Deployments, Leases, settings and hashes. A finding that is blocked keeps `run` from doing anything.',
      'Exit status: 0 nothing stands against it, 3 something does.',
    ].join('\n'),
  },
  parameters: { flags: deploymentFlags, aliases: outputAliases },
  loader: async () => (await import('./check-takeover.ts')).checkTakeover,
});

const switchToNodewright = buildCommand<TakeoverSwitchFlags>({
  docs: {
    brief: 'Let Nodewright take over: scale Karpenter to 0, and wait until Nodewright holds the Lease',
    fullDescription:
      'Both want the same Lease, so that never two of them act. What Karpenter was scaled to is kept on its Deployment, for `undo`.',
  },
  parameters: { flags: { ...deploymentFlags, ...timeoutFlag }, aliases: outputAliases },
  loader: async () => (await import('./switch-controllers.ts')).runTakeover,
});

const undo = buildCommand<TakeoverSwitchFlags>({
  docs: { brief: 'Give back to Karpenter: the same the other way round' },
  parameters: { flags: { ...deploymentFlags, ...timeoutFlag }, aliases: outputAliases },
  loader: async () => (await import('./switch-controllers.ts')).undoTakeover,
});

/** `nodewright takeover`. */
export const takeoverCommand = buildRouteMap({
  routes: { check, run: switchToNodewright, undo },
  docs: { brief: 'Take over from Karpenter without a node being replaced, and give back' },
});
