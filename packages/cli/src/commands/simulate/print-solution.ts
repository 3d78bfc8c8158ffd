import type { SolutionFile, WrittenNewNode } from '@nodewright/engine';
import { printTable } from '../../terminal/table.ts';

const mostErrors = 10;

/**
 * For people: one line per node, then the pods without a place, then the totals.
 * @param remarks lines about the new nodes
 */
export function printedSolution(solution: SolutionFile, remarks: readonly string[] = []): string {
  const { newNodes, existing, errors, stats } = solution;
  const nodes = newNodes.length === 0 ? [] : [printedNodes(newNodes), '', ...remarks];
  const onExisting = existing.map(({ node, pods }) => `${node} takes ${printCounted(pods.length, 'pod')}`);
  return [
    ...nodes,
    ...onExisting,
    ...(onExisting.length === 0 ? [] : ['']),
    ...printedErrors(errors),
    `${printCounted(stats.nodes, 'new node')}, $${stats.totalCheapestPrice.toFixed(4)} per hour, ${printCounted(errors.length, 'pod')} without a place`,
  ].join('\n');
}

const mostNodes = 40;

function printedNodes(newNodes: SolutionFile['newNodes']): string {
  const more = newNodes.length - mostNodes;
  const table = printTable(solutionColumns, newNodes.slice(0, mostNodes).map(rowOfNewNode));
  return more > 0 ? `${table}\nand ${more} more; -o json tells all` : table;
}

const solutionColumns = ['NODEPOOL', 'CHEAPEST', 'TYPES', 'ZONES', 'CAPACITY', 'CPU', 'MEMORY', 'PODS', 'PER HOUR'];

const rowOfNewNode = (node: WrittenNewNode): readonly string[] => [
  node.nodePool,
  node.instanceTypes[0] ?? '',
  String(node.instanceTypes.length),
  node.zones.join(','),
  node.capacityTypes.join(','),
  String(node.requests['cpu'] ?? 0),
  String(node.requests['memory'] ?? 0),
  String(node.pods.length),
  `$${node.cheapestPrice.toFixed(4)}`,
];

/** Equal messages are told once, with the pods they hold for. */
function printedErrors(errors: SolutionFile['errors']): readonly string[] {
  const byMessage = new Map<string, SolutionFile['errors'][number][]>();
  for (const error of errors) byMessage.set(error.message, [...(byMessage.get(error.message) ?? []), error]);
  const groups = [...byMessage.values()].map(printedGroup);
  const more = groups.length > mostErrors ? [`and ${groups.length - mostErrors} more reasons; -o json tells all`] : [];
  return groups.length === 0 ? [] : [...groups.slice(0, mostErrors).flat(), ...more, ''];
}

/** One reason stands beside the pods, several have a line each. */
function printedGroup(errors: SolutionFile['errors']): readonly string[] {
  const head = `${printFirstOf(errors.map(({ pod }) => pod))} ${errors.length > 1 ? 'have' : 'has'} no place:`;
  const [{ message, reasons = [message] } = { message: '' }] = errors;
  return reasons.length === 1 ? [`${head} ${reasons[0]}`] : [head, ...reasons.map((reason) => `  - ${reason}`)];
}

const printFirstOf = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;

export const printCounted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
