import { buildCommand, buildRouteMap } from '@stricli/core';
import { completeNames } from '../../reading/name-completion.ts';
import type { NamedKind } from '../../reading/named-kind.ts';
import { schedulingFlags } from '../../controller/scheduling-settings.ts';
import { outputAliases, outputFlag } from '../../terminal/output.ts';
import { clusterFlags } from '../../reading/cluster-flags.ts';
import type { ExplainFlags, ExplainPodFlags } from './flags.ts';
import { parsePlainText } from '../../terminal/parsers.ts';

const oneName = (placeholder: string, brief: string, ...kinds: readonly NamedKind[]) =>
  ({ kind: 'tuple', parameters: [{ parse: parsePlainText, placeholder, brief, ...completeNames(...kinds) }] }) as const;

const explainFlags = { ...clusterFlags, ...schedulingFlags, output: outputFlag };

const nodeclass = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'Which images an EC2NodeClass launches, and why nothing newer' },
  parameters: {
    flags: explainFlags,
    aliases: outputAliases,
    positional: oneName('name', 'Name of the EC2NodeClass', 'ec2NodeClass'),
  },
  loader: async () => (await import('./explain.ts')).explainNodeClassCommand,
});

const nodepool = buildCommand<ExplainFlags, [string]>({
  docs: {
    brief: 'Whether a NodePool launches, what it may disrupt, what its nodes wait for',
    fullDescription:
      'Whether a NodePool launches, what it may disrupt, what its nodes wait for. Which nodes a change of a NodePool or EC2NodeClass would replace: nodewright diff -f FILE',
  },
  parameters: {
    flags: explainFlags,
    aliases: outputAliases,
    positional: oneName('name', 'Name of the NodePool', 'nodePool'),
  },
  loader: async () => (await import('./explain.ts')).explainNodePoolCommand,
});

const explainBudgetCommand = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'What the disruption budgets of a NodePool allow now, and which of them count' },
  parameters: {
    flags: explainFlags,
    aliases: outputAliases,
    positional: oneName('nodepool', 'Name of the NodePool', 'nodePool'),
  },
  loader: async () => (await import('./explain.ts')).explainBudgetCommand,
});

const explainNodeCommand = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'Why a node is, or is not, being replaced' },
  parameters: {
    flags: explainFlags,
    aliases: outputAliases,
    positional: oneName('name', 'Name of the Node, or of its NodeClaim', 'node', 'nodeClaim'),
  },
  loader: async () => (await import('./explain.ts')).explainNodeCommand,
});

const explainPodCommand = buildCommand<ExplainPodFlags, [string]>({
  docs: { brief: 'Where a pod runs, or why it has no place' },
  parameters: {
    flags: {
      ...explainFlags,
      namespace: { kind: 'parsed', parse: parsePlainText, optional: true, brief: 'Namespace of the pod [default]' },
    },
    aliases: { ...outputAliases, n: 'namespace' },
    positional: oneName('name', 'Name of the pod, or namespace/name', 'pod'),
  },
  loader: async () => (await import('./explain.ts')).explainPodCommand,
});

const explainRolloutCommand = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'How far a rollout is, what holds it, and what a person can do' },
  parameters: {
    flags: explainFlags,
    aliases: outputAliases,
    positional: oneName('name', 'Name of the NodeRollout, or of its NodeRolloutPolicy', 'rollout'),
  },
  loader: async () => (await import('./explain.ts')).explainRolloutCommand,
});

const explainNodeGroupCommand = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'How far a NodeGroup is, what holds it, and what it does next' },
  parameters: {
    flags: explainFlags,
    aliases: outputAliases,
    positional: oneName('name', 'Name of the NodeGroup', 'nodeGroup'),
  },
  loader: async () => (await import('./explain.ts')).explainNodeGroupCommand,
});

/** `nodewright explain`. */
export const explainCommand = buildRouteMap({
  routes: {
    node: explainNodeCommand,
    nodeclass,
    nodepool,
    budget: explainBudgetCommand,
    pod: explainPodCommand,
    rollout: explainRolloutCommand,
    nodegroup: explainNodeGroupCommand,
  },
  docs: { brief: 'Tell why: of a node, NodeClass, NodePool, its budgets, a pod, a rollout, or a NodeGroup' },
});
