import type { NodeSelectorTerm, Pod } from '@nodewright/apis';

/** The alternatives of a pod's required node affinity; none when it does not care. */
export const requiredTermsOf = ({ spec }: Pick<Pod, 'spec'>): readonly NodeSelectorTerm[] =>
  spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];

/**
 * Those that a node could meet by its labels: an empty one matches no node, as in Kubernetes, and one with `matchFields`
 * only the node of a name, which is the DaemonSet controller's affair.
 */
export const meetableTerms = (terms: readonly NodeSelectorTerm[]): readonly NodeSelectorTerm[] =>
  terms.every(isMeetable) ? terms : terms.filter(isMeetable);

const isMeetable = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean =>
  matchExpressions.length > 0 && matchFields.length === 0;
