import { karpenterAnnotations, parseDurationOrNever, quantityUnits, type NodePool } from '@nodewright/apis';
import { suitableTypes } from '@nodewright/engine';
import { contradictedKey, parseRequirement, requirementsOfLabels } from '@nodewright/requirements';
import type { LintProblem, LintRule } from '../lint-rule.ts';

const requirementsPath = ['spec', 'template', 'spec', 'requirements'];

/** The label on which the requirements and labels of a pool exclude each other. */
function contradictedLabel({ spec }: NodePool): string | undefined {
  const { requirements } = spec.template.spec;
  const labels = requirementsOfLabels(spec.template.metadata?.labels ?? {});
  return contradictedKey([...requirements.map(parseRequirement), ...labels.values()]);
}

export const contradictionRule: LintRule = {
  name: 'pool-excludes-itself',
  severity: 'error',
  about: 'Requirements and labels of a NodePool exclude each other, so no node can meet them.',
  check: ({ nodePools }) =>
    nodePools.flatMap((pool) => {
      const key = contradictedLabel(pool);
      if (key === undefined) return [];
      const parts = pool.spec.template.spec.requirements;
      const index = parts.findLastIndex((each) => each.key === key);
      return [
        {
          object: pool,
          path: index < 0 ? requirementsPath : [...requirementsPath, index],
          value: key,
          why: `no value of ${key} meets all requirements and labels of the pool: it never launches a node`,
          instead: 'keep one requirement for the label, with the values that are meant',
        },
      ];
    }),
};

export const emptyPoolRule: LintRule = {
  name: 'pool-without-types',
  severity: 'error',
  about: 'No instance type of the catalogue meets the requirements of a NodePool.',
  check: ({ nodePools }, { typesOf }) =>
    nodePools.flatMap((pool) => {
      const instanceTypes = typesOf?.(pool) ?? [];
      if (instanceTypes.length === 0 || contradictedLabel(pool) !== undefined) return [];
      if (suitableTypes({ nodePool: pool, instanceTypes }).length > 0) return [];
      return [
        {
          object: pool,
          path: requirementsPath,
          why: `none of ${instanceTypes.length} instance types meets all of its requirements`,
          instead: 'loosen one of them; nodewright simulate -f tells which requirement excludes which types',
        },
      ];
    }),
};

/** With fewer types than this a shortage of one leaves few others. */
const fewTypes = 5;

export const narrowSpotRule: LintRule = {
  name: 'spot-with-few-types',
  severity: 'warning',
  about: `A pool for spot capacity alone that allows fewer than ${fewTypes} instance types is interrupted often and finds no replacement.`,
  check: ({ nodePools }, { typesOf }) =>
    nodePools.flatMap((pool) => {
      const index = pool.spec.template.spec.requirements.findIndex(
        ({ key, operator, values }) =>
          key === 'karpenter.sh/capacity-type' && operator === 'In' && values?.join() === 'spot',
      );
      const instanceTypes = typesOf?.(pool) ?? [];
      if (index < 0 || instanceTypes.length === 0) return [];
      const { length } = suitableTypes({ nodePool: pool, instanceTypes });
      if (length === 0 || length >= fewTypes) return [];
      return [
        {
          object: pool,
          path: [...requirementsPath, index],
          value: 'spot',
          why: `${length} instance ${length === 1 ? 'type is' : 'types are'} left for it: one shortage of spot capacity leaves pods pending`,
          instead: 'allow more families, sizes or generations, or on-demand beside spot',
        },
      ];
    }),
};

export const gracePeriodRule: LintRule = {
  name: 'expiry-without-grace-period',
  severity: 'warning',
  about:
    'Nodes expire but have no terminationGracePeriod: a pod that may not be evicted keeps an expired node, cordoned, for ever.',
  check: ({ nodePools }) =>
    nodePools.flatMap((pool) => {
      const { expireAfter = '720h', terminationGracePeriod } = pool.spec.template.spec;
      if (terminationGracePeriod !== undefined || parseDurationOrNever(expireAfter) === 'Never') return [];
      return [
        {
          object: pool,
          path: ['spec', 'template', 'spec', 'expireAfter'],
          ...(pool.spec.template.spec.expireAfter === undefined ? {} : { value: expireAfter }),
          why: `nodes expire after ${expireAfter}, and a do-not-disrupt pod or a PodDisruptionBudget that never yields keeps an expired one without end`,
          instead: 'add terminationGracePeriod: 24h, or whatever your longest job needs',
        },
      ];
    }),
};

export const unlimitedPoolRule: LintRule = {
  name: 'pool-without-limits',
  severity: 'note',
  about: 'A NodePool without limits lets a mistake in one workload buy without end.',
  check: ({ nodePools }) =>
    nodePools
      .filter(({ spec }) => spec.limits === undefined && spec.replicas === undefined)
      .map((pool) => ({
        object: pool,
        path: ['spec', 'limits'],
        why: 'nothing bounds what the pool may launch',
        instead: 'write limits: {cpu: "1000", memory: 4000Gi}, or limits: {nodes: "100"}',
      })),
};

export const staticLimitRule: LintRule = {
  name: 'replicas-over-limit',
  severity: 'error',
  about: 'A NodePool with replicas may not have as many nodes as it asks for.',
  check: ({ nodePools }) =>
    nodePools.flatMap((pool) => {
      const { replicas, limits } = pool.spec;
      const most = limits?.['nodes'];
      if (replicas === undefined || most === undefined || quantityUnits(most) >= quantityUnits(replicas)) return [];
      return [
        {
          object: pool,
          path: ['spec', 'limits', 'nodes'],
          value: most,
          why: `the pool asks for ${replicas} nodes and may have ${most}`,
          instead: `write limits.nodes: "${replicas}" or more; one more lets drift replace nodes one by one`,
        },
      ];
    }),
};

export const protectedTemplateRule: LintRule = {
  name: 'pool-never-disrupted',
  severity: 'warning',
  about: 'A NodePool that annotates its nodes with do-not-disrupt never replaces them before they expire.',
  check: ({ nodePools }) =>
    nodePools
      .filter(({ spec }) => spec.template.metadata?.annotations?.[karpenterAnnotations.doNotDisrupt] === 'true')
      .map((pool) => ({
        object: pool,
        path: ['spec', 'template', 'metadata', 'annotations', karpenterAnnotations.doNotDisrupt],
        value: 'true',
        why: 'no new image reaches its nodes, and none of them is consolidated',
        instead: 'use budgets with a schedule, or annotate single pods with a duration such as "4h"',
      })),
};

export const missingNodeClassRule: LintRule = {
  name: 'node-class-missing',
  severity: 'note',
  about: 'A NodePool names an EC2NodeClass that is not among the manifests, although others are.',
  check: ({ nodePools, nodeClasses }) =>
    nodeClasses.length === 0
      ? []
      : nodePools
          .filter(
            ({ spec }) => !nodeClasses.some(({ metadata }) => metadata.name === spec.template.spec.nodeClassRef.name),
          )
          .map((pool): LintProblem => ({
            object: pool,
            path: ['spec', 'template', 'spec', 'nodeClassRef', 'name'],
            value: pool.spec.template.spec.nodeClassRef.name,
            why: 'no EC2NodeClass of this name is among the manifests',
            instead: `name one of ${nodeClasses
              .map(({ metadata }) => metadata.name)
              .toSorted()
              .join(', ')}, or apply the class first`,
          })),
};
