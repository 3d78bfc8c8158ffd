import { karpenterLabels, type NodeSelectorTerm, type Pod } from '@nodewright/apis';
import { operatorOfRequirement, requirementComplaint } from '@nodewright/requirements';
import { allRequirements, podConstraintsOf } from './pod-constraints.ts';

/** Why a pod is left out of scheduling altogether. */
export type PodComplaint =
  /** It asks for nodes that are not ours: no fault, and nothing to report. */
  { readonly kind: 'notOurs' } | { readonly kind: 'invalid'; readonly message: string };

/** What keeps a pod from being considered at all, its volumes aside; `undefined` when nothing does. Preferences are not checked. */
export function podComplaint(pod: Pod): PodComplaint | undefined {
  const nodePool = allRequirements(podConstraintsOf(pod, 'Respect')).get(karpenterLabels.nodePool);
  if (nodePool !== undefined && operatorOfRequirement(nodePool) === 'DoesNotExist') return { kind: 'notOurs' };
  const message = selectorComplaint(pod) ?? affinityComplaint(pod);
  return message === undefined ? undefined : { kind: 'invalid', message };
}

const selectorComplaint = ({ spec }: Pod): string | undefined =>
  firstComplaint(
    Object.entries(spec.nodeSelector ?? {}).map(([key, value]) =>
      requirementComplaint({ key, operator: 'In', values: [value] }),
    ),
  );

/** All alternatives are checked, not only the one that counts. */
const affinityComplaint = ({ spec }: Pod): string | undefined =>
  firstComplaint(
    (spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).map(
      termComplaint,
    ),
  );

function termComplaint({ matchFields = [], matchExpressions = [] }: NodeSelectorTerm): string | undefined {
  if (matchFields.length > 0) return 'node affinity by matchFields is not supported; use matchExpressions';
  return firstComplaint(matchExpressions.map(requirementComplaint));
}

const firstComplaint = (complaints: readonly (string | undefined)[]): string | undefined =>
  complaints.find((complaint) => complaint !== undefined);
