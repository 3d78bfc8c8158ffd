import { buildCommand, buildRouteMap } from '@stricli/core';
import { schedulingFlags } from '../controller/scheduling-settings.ts';
import { outputAliases, outputFlag } from '../output.ts';
import { clusterFlags } from '../reading/cluster-flags.ts';
import type { ExplainFlags, ExplainPodFlags } from './explain-flags.ts';

const text = (value: string): string => value;

const one = (placeholder: string, brief: string) =>
  ({ kind: 'tuple', parameters: [{ parse: text, placeholder, brief }] }) as const;

const flags = { ...clusterFlags, ...schedulingFlags, output: outputFlag };

const nodeclass = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'Which images an EC2NodeClass launches, and why nothing newer' },
  parameters: { flags, aliases: outputAliases, positional: one('name', 'Name of the EC2NodeClass') },
  loader: async () => (await import('./explain.ts')).explainNodeClassCommand,
});

const nodepool = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'Whether a NodePool launches, what it may disrupt, what its nodes wait for' },
  parameters: { flags, aliases: outputAliases, positional: one('name', 'Name of the NodePool') },
  loader: async () => (await import('./explain.ts')).explainNodePoolCommand,
});

const budget = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'What the disruption budgets of a NodePool allow now, and which of them count' },
  parameters: { flags, aliases: outputAliases, positional: one('nodepool', 'Name of the NodePool') },
  loader: async () => (await import('./explain.ts')).explainBudgetCommand,
});

const node = buildCommand<ExplainFlags, [string]>({
  docs: { brief: 'Why a node is, or is not, being replaced' },
  parameters: { flags, aliases: outputAliases, positional: one('name', 'Name of the Node, or of its NodeClaim') },
  loader: async () => (await import('./explain.ts')).explainNodeCommand,
});

const pod = buildCommand<ExplainPodFlags, [string]>({
  docs: { brief: 'Where a pod runs, or why it has no place' },
  parameters: {
    flags: {
      ...flags,
      namespace: { kind: 'parsed', parse: text, optional: true, brief: 'Namespace of the pod [default]' },
    },
    aliases: { ...outputAliases, n: 'namespace' },
    positional: one('name', 'Name of the pod, or namespace/name'),
  },
  loader: async () => (await import('./explain.ts')).explainPodCommand,
});

/** `nodewright explain`. */
export const explainCommand = buildRouteMap({
  routes: { node, nodeclass, nodepool, budget, pod },
  docs: { brief: 'Tell why: of a node, NodeClass, NodePool, its budgets, or a pod' },
});
