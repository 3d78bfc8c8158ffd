import { printCounted, printedSolution } from './print-solution.ts';
import type { CheaperWay, SimulationOutlook } from './outlook.ts';

const mostWays = 6;
const mostPrintedPods = 5;

/** For people: what would be launched and why not cheaper, what stays where, what a removal would bring. */
export function printedOutlook(outlook: SimulationOutlook): string {
  const { passedOver, removed, idle, buffers } = outlook;
  return [
    ...(isAboutNothing(outlook) ? ['There is no pod to place.'] : []),
    ...idle.map(printedIdle),
    ...passedOver.map(({ nodePool, message }) => `NodePool ${nodePool} launches nothing: ${message}`),
    ...buffers.map(printedBuffer),
    ...(removed === undefined ? [] : [printedRemoval(removed, outlook)]),
    printedSolution(outlook, printedWays(outlook)),
  ].join('\n');
}

const isAboutNothing = ({ newNodes, existing, errors, buffers, idle, removed }: SimulationOutlook): boolean =>
  removed === undefined && [newNodes, existing, errors, buffers, idle].every((list) => list.length === 0);

const printedIdle = (idle: SimulationOutlook['idle'][number]): string =>
  'overlay' in idle
    ? `NodeOverlay ${idle.overlay} changes nothing: ${idle.message}`
    : `CapacityBuffer ${idle.buffer} keeps nothing free: ${idle.message}`;

function printedBuffer({ buffer, existing, onNew, failed }: SimulationOutlook['buffers'][number]): string {
  const where = [
    ...(existing > 0 ? [`${existing} on nodes that are there`] : []),
    ...(onNew > 0 ? [`${onNew} on new nodes`] : []),
    ...(failed > 0 ? [`${failed} nowhere`] : []),
  ];
  return `CapacityBuffer ${buffer}: ${printCounted(existing + onNew + failed, 'unit')}, ${where.join(', ')}`;
}

/** Nodes that could not be cheaper for the same reasons share their lines. */
function printedWays({ newNodes }: SimulationOutlook): readonly string[] {
  const nodesOf = new Map<string, number>();
  const linesOf = new Map<string, readonly string[]>();
  for (const { nodePool, instanceTypes, cheapestPrice, cheaper, overlaid } of newNodes) {
    if (cheaper.length === 0 && overlaid.length === 0) continue;
    const name = `${nodePool} ${instanceTypes[0] ?? ''} $${cheapestPrice.toFixed(4)}`;
    const title = overlaid.length === 0 ? name : `${name} (${overlaid.join(', ')})`;
    const lines = cheaper.slice(0, mostWays).map(printedWay);
    const key = [title, ...lines].join('\n');
    nodesOf.set(key, (nodesOf.get(key) ?? 0) + 1);
    const head = cheaper.length === 0 ? `Nothing is cheaper than ${title}` : `Why not cheaper than ${title}:`;
    linesOf.set(key, [head, ...lines, ...beyond(cheaper.length)]);
  }
  const all = [...linesOf.values()];
  const shown = all.slice(0, 3).flatMap((lines) => [...lines, '']);
  return all.length > 3 ? [...shown, `and ${all.length - 3} more; -o json tells all`, ''] : shown;
}

const beyond = (ways: number): readonly string[] =>
  ways > mostWays ? [`  and ${ways - mostWays} more constraints`] : [];

const printedWay = ({ constraint, of, types, cheapest, price }: CheaperWay): string =>
  `  ${cheapest} $${price.toFixed(4)}${types > 1 ? ` and ${printCounted(types - 1, 'other')}` : ''}: ${constraint}${of === 'NodePool' ? ' of the NodePool' : ''}`;

function printedRemoval(
  { node, pods, price }: NonNullable<SimulationOutlook['removed']>,
  outlook: SimulationOutlook,
): string {
  const leaving = new Set(pods);
  const homeless = outlook.errors.filter(({ pod }) => leaving.has(pod)).length;
  const staying = outlook.existing.flatMap((each) => each.pods).filter((pod) => leaving.has(pod)).length;
  const launched = pods.length - homeless - staying;
  const some =
    pods.length === 0
      ? ''
      : ` (${pods.slice(0, mostPrintedPods).join(', ')}${pods.length > mostPrintedPods ? ', ...' : ''})`;
  const moves = [
    ...(staying > 0 ? [`${printCounted(staying, 'pod')} to nodes that are there`] : []),
    ...(launched > 0 ? [`${printCounted(launched, 'pod')} to new nodes`] : []),
    ...(homeless > 0 ? [`${printCounted(homeless, 'pod')} nowhere`] : []),
  ];
  const change = price === undefined ? '' : `; ${printedChange(outlook.stats.totalCheapestPrice - price)}`;
  const where = moves.length === 0 ? 'nothing has to move' : `${moves.join(', ')}${some}`;
  return `Without node ${node}: ${where}${change}\n`;
}

const printedChange = (change: number): string =>
  Math.abs(change) < 0.00005
    ? 'at the same price'
    : `$${Math.abs(change).toFixed(4)} per hour ${change > 0 ? 'more' : 'less'}`;
