import { type Node, type NodeSelectorRequirement, type NodeSelectorTerm, type Pod, readOwn } from '@nodewright/apis';

/** Whether the node selector and the required node affinity of the pod allow the node. */
export function isSelected(node: Node, { spec }: Pod): boolean {
  const labels = node.metadata.labels ?? {};
  const asked = Object.entries(spec.nodeSelector ?? {});
  if (asked.some(([key, value]) => readOwn(labels, key) !== value)) return false;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms === undefined || terms.some((term) => matchesTerm(node, term));
}

/** The one node that the required node affinity names, as for pods of a DaemonSet; undefined when several are possible. */
export function onlyNodeFor({ spec }: Pod): string | undefined {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const [name, ...others] = new Set(terms.map(namedNode));
  return others.length === 0 ? name : undefined;
}

function namedNode({ matchFields = [] }: NodeSelectorTerm): string | undefined {
  const named = matchFields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
  return named?.values?.length === 1 ? named.values[0] : undefined;
}

/** A term without conditions selects nothing. */
export function matchesTerm(node: Node, { matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) =>
      matchesExpression(readOwn(node.metadata.labels, requirement.key), requirement),
    ) && matchFields.every((requirement) => matchesExpression(fieldOfNode(node, requirement.key), requirement))
  );
}

const fieldOfNode = ({ metadata }: Node, field: string): string | undefined =>
  field === 'metadata.name' ? metadata.name : undefined;

function matchesExpression(value: string | undefined, { operator, values = [] }: NodeSelectorRequirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Gte':
    case 'Lt':
    case 'Lte':
      return value !== undefined && isOrdered(Number(value), operator, Number(values[0]));
  }
}

function isOrdered(value: number, operator: 'Gt' | 'Gte' | 'Lt' | 'Lte', bound: number): boolean {
  switch (operator) {
    case 'Gt':
      return value > bound;
    case 'Gte':
      return value >= bound;
    case 'Lt':
      return value < bound;
    case 'Lte':
      return value <= bound;
  }
}
