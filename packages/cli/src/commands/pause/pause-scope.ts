import {
  type DisruptionPause,
  type LabelSelector,
  type LabelTerm,
  nodeGroups,
  nodePools,
  type PausedReason,
  type ResourceType,
  resourceNameLabel,
} from '@nodewright/apis';
import { parseLabelSelectorQuery } from '@nodewright/kube-api';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import { InputError } from '../../terminal/exit-status.ts';
import type { PauseScopeFlags } from './flags.ts';

type PauseScope = NonNullable<DisruptionPause['spec']['scope']>;

/** The scope that flags ask for; undefined for everything. @throws InputError for a selector that cannot be read */
export function readPauseScope(
  { nodepool = [], nodegroup = [], selector }: PauseScopeFlags,
  only: readonly PausedReason[] = [],
): PauseScope | undefined {
  const labels = selector === undefined ? [] : readSelector(selector);
  const isNamed = nodepool.length > 0 || nodegroup.length > 0;
  const scope: PauseScope = {
    ...(nodepool.length > 0 || (!isNamed && labels.length > 0) ? { nodePools: selectorFor(nodepool, labels) } : {}),
    ...(nodegroup.length > 0 || (!isNamed && labels.length > 0) ? { nodeGroups: selectorFor(nodegroup, labels) } : {}),
    ...(only.length > 0 ? { reasons: [...only] } : {}),
  };
  return Object.keys(scope).length === 0 ? undefined : scope;
}

type LabelExpression = NonNullable<LabelSelector['matchExpressions']>[number];

function selectorFor(names: readonly string[], labels: readonly LabelExpression[]): LabelSelector {
  const byName: readonly LabelExpression[] =
    names.length === 0 ? [] : [{ key: resourceNameLabel, operator: 'In', values: [...names] }];
  return { matchExpressions: [...byName, ...labels] };
}

function readSelector(text: string): readonly LabelExpression[] {
  try {
    return parseLabelSelectorQuery(text).map(expressionOfTerm);
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    throw new InputError(`--selector: "${text}" is no label selector: ${failure.message}`, { cause: failure });
  }
}

function expressionOfTerm({ key, operator, values }: LabelTerm): LabelExpression {
  switch (operator) {
    case 'in':
      return { key, operator: 'In', values: [...values] };
    case 'notIn':
      return { key, operator: 'NotIn', values: [...values] };
    case 'exists':
      return { key, operator: 'Exists' };
    case 'notExists':
      return { key, operator: 'DoesNotExist' };
    case 'greaterThan':
    case 'lessThan':
      throw new Error('a pause does not compare numbers; use =, !=, in, notin, or a key alone');
  }
}

/** @throws InputError for a name that no NodePool or NodeGroup has */
export async function checkPausedNames(client: KubernetesClient, flags: PauseScopeFlags): Promise<void> {
  await checkNames(client, { type: nodePools, flag: '--nodepool', names: flags.nodepool ?? [] });
  await checkNames(client, { type: nodeGroups, flag: '--nodegroup', names: flags.nodegroup ?? [] });
}

type NameCheck = { readonly type: ResourceType; readonly flag: string; readonly names: readonly string[] };

async function checkNames(client: KubernetesClient, { type, flag, names }: NameCheck): Promise<void> {
  if (names.length === 0) return;
  const known = (await client.list(type)).items.map(({ metadata }) => metadata.name);
  const absent = names.find((name) => !known.includes(name));
  if (absent === undefined) return;
  throw new InputError(`${flag}: there is no ${type.kind} "${absent}"; there are ${known.join(', ') || 'none'}`);
}

/** @throws InputError where the definition is not installed */
export async function asPausesInstalled<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 404) throw failure;
    const hint = 'the cluster has no DisruptionPauses: `nodewright crds | kubectl apply -f -` installs them';
    throw new InputError(hint, { cause: failure });
  }
}

/** What a pause is about, for people. */
export function scopeWords({ scope }: DisruptionPause['spec']): string {
  if (scope === undefined) return 'everything voluntary';
  const { nodePools: pools, nodeGroups: groups, reasons } = scope;
  const what = reasons === undefined ? 'everything voluntary' : reasons.join(', ');
  const where = [
    ...(pools === undefined ? [] : [`NodePools ${selectorWords(pools)}`]),
    ...(groups === undefined ? [] : [`NodeGroups ${selectorWords(groups)}`]),
  ];
  return where.length === 0 ? what : `${what} of ${where.join(' and ')}`;
}

function selectorWords({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const byName = matchExpressions.find(({ key, operator }) => key === resourceNameLabel && operator === 'In');
  const labels = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions
      .filter((each) => each !== byName)
      .map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join(',')}`.trim()),
  ];
  const named = byName?.values?.join(', ');
  if (named === undefined) return labels.length === 0 ? 'of any name' : `with ${labels.join(', ')}`;
  return labels.length === 0 ? named : `${named} with ${labels.join(', ')}`;
}
