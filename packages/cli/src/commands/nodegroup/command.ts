import { buildCommand, buildRouteMap } from '@stricli/core';
import { completeNames } from '../../reading/name-completion.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import type { NodeGroupFlags, NodeGroupTargetFlags, NodeGroupUpgradeFlags } from './flags.ts';
import { parsePeriod, parsePlainText } from '../../terminal/parsers.ts';

const groupNameArgument = {
  kind: 'tuple',
  parameters: [
    {
      parse: parsePlainText,
      placeholder: 'name',
      ...completeNames('nodeGroup'),
      brief: 'A NodeGroup, a managed node group, or an Auto Scaling group',
    },
  ],
} as const;

const nodeGroupFlags = { ...clusterFlags, output: outputFlag };
const imageFlag = {
  kind: 'parsed',
  parse: parsePlainText,
  optional: true,
  placeholder: 'IMAGE',
  brief: 'For a group without NodeGroup: an alias or an image id [the newest of its own family]',
} as const;

const listNodeGroupsCommand = buildCommand<NodeGroupFlags>({
  docs: { brief: 'List node groups: those with a NodeGroup, and those without one' },
  parameters: { flags: nodeGroupFlags, aliases: outputAliases },
  loader: async () => (await import('./list.ts')).listNodeGroups,
});

const nodeGroupStatusCommand = buildCommand<NodeGroupFlags, [string]>({
  docs: { brief: 'Show where a group stands: target, nodes, what blocks it and since when' },
  parameters: { flags: nodeGroupFlags, aliases: outputAliases, positional: groupNameArgument },
  loader: async () => (await import('./status.ts')).showNodeGroup,
});

const plan = buildCommand<NodeGroupTargetFlags, [string]>({
  docs: {
    brief: 'Show what an update would take, without writing anything',
    fullDescription:
      'Surge per zone, free addresses, pods whose budgets never yield, how long it will take. Ends with 3 when something speaks against the update.',
  },
  parameters: { flags: { ...nodeGroupFlags, image: imageFlag }, aliases: outputAliases, positional: groupNameArgument },
  loader: async () => (await import('./plan.ts')).planNodeGroupUpdate,
});

const upgradeCommand = buildCommand<NodeGroupUpgradeFlags, [string]>({
  docs: {
    brief: 'Ask the controller for an update now',
    fullDescription:
      'A group without NodeGroup gets one that updates on request only. With --wait: 0 when every node is on the target, 3 when the update is blocked, 1 when it failed, 4 when the time ran out.',
  },
  parameters: {
    flags: {
      ...nodeGroupFlags,
      image: imageFlag,
      wait: { kind: 'boolean', default: false, withNegated: false, brief: 'Show progress until it is over' },
      timeout: { kind: 'parsed', parse: parsePeriod, default: '2h', brief: 'How long to wait at most, in real time' },
    },
    aliases: outputAliases,
    positional: groupNameArgument,
  },
  loader: async () => (await import('./upgrade.ts')).upgradeNodeGroup,
});

const history = buildCommand<NodeGroupFlags, [string]>({
  docs: { brief: 'Show the last updates of a group and how they ended' },
  parameters: { flags: nodeGroupFlags, aliases: outputAliases, positional: groupNameArgument },
  loader: async () => (await import('./history.ts')).showHistory,
});

export const nodeGroupCommand = buildRouteMap({
  routes: { list: listNodeGroupsCommand, status: nodeGroupStatusCommand, plan, upgrade: upgradeCommand, history },
  docs: { brief: 'Managed node groups and Auto Scaling groups: what they run, and their updates' },
});
