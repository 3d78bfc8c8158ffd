import type { NodePool, Pod, PodAffinityTerm } from '@nodewright/apis';
import { type PoolSupply, type SchedulingProblem, type Fix, toResourceList } from '@nodewright/engine';

type Applied = Pick<SchedulingProblem, 'nodePools' | 'pods'>;

/** The problem as it is once a fix is applied; `undefined` for what only time can do. */
export function applyFix(
  problem: SchedulingProblem,
  fix: Fix,
  at: { readonly pod: Pod; readonly nodePool: string },
): SchedulingProblem | undefined {
  const ofPod = (change: (spec: Pod['spec']) => Pod['spec']): Applied => ({
    nodePools: problem.nodePools,
    pods: problem.pods.map((pod) => (pod === at.pod ? { ...pod, spec: change(pod.spec) } : pod)),
  });
  const ofPool = (change: (pool: NodePool['spec']) => NodePool['spec']): Applied => ({
    pods: problem.pods,
    nodePools: problem.nodePools.map((supply): PoolSupply =>
      supply.nodePool.metadata.name === at.nodePool
        ? { ...supply, nodePool: { ...supply.nodePool, spec: change(supply.nodePool.spec) } }
        : supply,
    ),
  });
  const applied = changes(fix, ofPod, ofPool);
  return applied === undefined ? undefined : { ...problem, ...applied };
}

type OfPod = (change: (spec: Pod['spec']) => Pod['spec']) => Applied;
type OfPool = (change: (spec: NodePool['spec']) => NodePool['spec']) => Applied;

function changes(fix: Fix, ofPod: OfPod, ofPool: OfPool): Applied | undefined {
  switch (fix.kind) {
    case 'tolerate': {
      const { key, effect } = fix.taint;
      const toleration = { key, effect, operator: 'Exists' } as const;
      return ofPod((spec) => ({ ...spec, tolerations: [...(spec.tolerations ?? []), toleration] }));
    }
    case 'oneWish':
      return ofPod((spec) => withoutLabel(spec, fix.key));
    case 'label':
      return fix.of === 'pod'
        ? ofPod((spec) => withoutLabel(spec, fix.key))
        : ofPool((spec) => withoutRequirement(spec, fix.key));
    case 'labelNodes':
      return ofPod((spec) => withoutLabel(withoutRules(spec, fix.key), fix.key));
    case 'request':
      return ofPod((spec) => asking(spec, fix.resource, fix.most));
    case 'hostPort':
      return ofPod((spec) => ({
        ...spec,
        containers: spec.containers.map((container) => ({ ...container, ports: [] })),
      }));
    case 'limits':
      return ofPool((spec) => ({ ...spec, limits: { ...spec.limits, ...toResourceList(fix.atLeast) } }));
    case 'minValues':
      return ofPool((spec) => lowering(spec, fix.key, fix.most));
    case 'maxSkew':
      return ofPod((spec) => spreading(spec, fix.key, { maxSkew: fix.least }));
    case 'minDomains':
      return ofPod((spec) => spreading(spec, fix.key, { minDomains: fix.most }));
    case 'prefer':
      return ofPod((spec) => withoutRules(spec, fix.key));
    case 'elsewhere':
    case 'volumes':
    case 'nextRound':
    case 'wait':
      return undefined;
  }
}

function withoutLabel({ nodeSelector = {}, ...spec }: Pod['spec'], key: string): Pod['spec'] {
  const { [key]: _, ...others } = nodeSelector;
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...preferred } = spec.affinity?.nodeAffinity ?? {};
  const terms = required?.nodeSelectorTerms.map((term) => ({
    ...term,
    matchExpressions: (term.matchExpressions ?? []).filter((each) => each.key !== key),
  }));
  const nodeAffinity =
    terms === undefined || terms.every(({ matchExpressions }) => matchExpressions.length === 0)
      ? preferred
      : { ...preferred, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  return { ...spec, nodeSelector: others, affinity: { ...spec.affinity, nodeAffinity } };
}

function withoutRules(spec: Pod['spec'], key: string): Pod['spec'] {
  const others = <T extends { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] }>(
    rules: T | undefined,
  ) => ({
    ...rules,
    requiredDuringSchedulingIgnoredDuringExecution: (
      rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []
    ).filter(({ topologyKey }) => topologyKey !== key),
  });
  const { podAffinity, podAntiAffinity, ...affinity } = spec.affinity ?? {};
  return {
    ...spec,
    topologySpreadConstraints: (spec.topologySpreadConstraints ?? []).filter(({ topologyKey }) => topologyKey !== key),
    affinity: { ...affinity, podAffinity: others(podAffinity), podAntiAffinity: others(podAntiAffinity) },
  };
}

const asking = (spec: Pod['spec'], resource: string, most: number): Pod['spec'] => ({
  ...spec,
  containers: spec.containers.map((container) => {
    const { [resource]: _, ...others } = container.resources?.requests ?? {};
    const requests = most === 0 ? others : { ...others, ...toResourceList({ [resource]: most }) };
    return { ...container, resources: { ...container.resources, requests } };
  }),
});

const spreading = (spec: Pod['spec'], key: string, change: object): Pod['spec'] => ({
  ...spec,
  topologySpreadConstraints: (spec.topologySpreadConstraints ?? []).map((each) =>
    each.topologyKey === key ? { ...each, ...change } : each,
  ),
});

const withRequirements = (
  spec: NodePool['spec'],
  change: (
    all: NodePool['spec']['template']['spec']['requirements'],
  ) => NodePool['spec']['template']['spec']['requirements'],
): NodePool['spec'] => ({
  ...spec,
  template: {
    ...spec.template,
    spec: { ...spec.template.spec, requirements: change(spec.template.spec.requirements) },
  },
});

const withoutRequirement = (spec: NodePool['spec'], key: string): NodePool['spec'] =>
  withRequirements(spec, (all) => (all ?? []).filter((each) => each.key !== key));

const lowering = (spec: NodePool['spec'], key: string, minValues: number): NodePool['spec'] =>
  withRequirements(spec, (all) => (all ?? []).map((each) => (each.key === key ? { ...each, minValues } : each)));
