import {
  describeNodeStage,
  describeHourlyCost,
  type NodeRow,
  sumHourlyPrices,
  spellNodeCount,
  summarizeStages,
} from '@nodewright/dashboard/rows';
import { Component } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createExplainAddresses } from '../live/page-location.ts';
import { DrawnOnce } from '../parts/drawn-once.ts';
import { ExplainLink } from '../parts/explain-link.tsx';
import { placeContext } from '../parts/page-context.ts';
import { countColumns, fillSlots, splitIntoBlocks } from './cell-slots.ts';
import type { FleetColours } from './fleet-colours.ts';
import { stageSigns } from './stage-signs.ts';

type NodeGridProps = {
  readonly group: string;
  readonly nodes: readonly NodeRow[];
  readonly colours: FleetColours;
};

const poolPrefix = 'NodePool/';

/** The nodes of a group. One stop of the Tab key for all cells; arrows lead from cell to cell. */
export function NodeGrid({ group, nodes, colours }: NodeGridProps) {
  const place = useContext(placeContext);
  const cells = useRef<HTMLDivElement>(null);
  const columns = useColumns(cells);
  const slots = useSlots(nodes);
  const addressOf = useMemo(() => createExplainAddresses(place), [place]);
  return (
    <section class="group" aria-label={group}>
      <h2>
        {group.startsWith(poolPrefix) ? (
          <ExplainLink path={`nodepool/${group.slice(poolPrefix.length)}`}>{group}</ExplainLink>
        ) : (
          group
        )}
        <span class="faint">
          {' '}
          {spellNodeCount(nodes.length)}: {summarizeStages(nodes)}; {describeCost(nodes)}
        </span>
      </h2>
      <div ref={cells} role="group" aria-label={`Nodes of ${group}`} onKeyDown={moveBetweenCells}>
        {columns !== undefined &&
          splitIntoBlocks(slots, columns).map((block, index) => (
            <CellBlock
              key={index}
              nodes={block}
              classNames={block.map(colours.classOf)}
              hasTabStop={index === 0}
              addressOf={addressOf}
            />
          ))}
      </div>
    </section>
  );
}

const describeCost = (nodes: readonly NodeRow[]): string =>
  describeHourlyCost(
    sumHourlyPrices(nodes),
    nodes.filter(({ microUsdPerHour }) => microUsdPerHour === undefined).length,
  );

/** The nodes in their places, which they keep. */
function useSlots(nodes: readonly NodeRow[]): readonly NodeRow[] {
  const latest = useRef<readonly NodeRow[]>([]);
  latest.current = useMemo(() => fillSlots(latest.current, nodes), [nodes]);
  return latest.current;
}

/** How many cells fit beside each other; `undefined` before the page is laid out. */
function useColumns(cells: { readonly current: HTMLElement | null }): number | undefined {
  const [columns, setColumns] = useState<number>();
  useLayoutEffect(() => {
    const { current } = cells;
    if (current === null) return undefined;
    const measure = (): void => setColumns(countColumnsOf(current));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [cells]);
  return columns;
}

function countColumnsOf(element: HTMLElement): number {
  const style = getComputedStyle(element);
  const readPixels = (name: string): number => Number.parseFloat(style.getPropertyValue(name));
  return countColumns(element.clientWidth, readPixels('--cell'), readPixels('--cell-gap'));
}

/** The address of what is explained at a path. */
type CellAddresses = (path: string) => string;

type BlockProps = {
  readonly nodes: readonly NodeRow[];
  /** That of each node. */
  readonly classNames: readonly string[];
  readonly hasTabStop: boolean;
  readonly addressOf: CellAddresses;
};

/** There may be thousands of cells: only blocks in which something has changed are looked at. */
class CellBlock extends Component<BlockProps> {
  override shouldComponentUpdate({ nodes, classNames, hasTabStop, addressOf }: BlockProps): boolean {
    const { props } = this;
    const isSame = addressOf === props.addressOf && hasTabStop === props.hasTabStop;
    return !isSame || !hasSameItems(nodes, props.nodes) || !hasSameItems(classNames, props.classNames);
  }

  override render() {
    const { nodes, classNames, hasTabStop, addressOf } = this.props;
    return (
      <div class="cells block">
        {nodes.map((node, index) => (
          <NodeCell
            key={index}
            node={node}
            className={classNames[index] ?? ''}
            isFirst={hasTabStop && index === 0}
            addressOf={addressOf}
          />
        ))}
      </div>
    );
  }
}

const hasSameItems = <Item,>(a: readonly Item[], b: readonly Item[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

type NodeCellProps = {
  readonly node: NodeRow;
  readonly className: string;
  readonly isFirst: boolean;
  readonly addressOf: CellAddresses;
};

class NodeCell extends DrawnOnce<NodeCellProps> {
  override render() {
    const { node, className, isFirst, addressOf } = this.props;
    const words = describeCell(node);
    return (
      <a
        class={`cell ${className}`}
        href={addressOf(node.explain)}
        title={words}
        aria-label={words}
        tabIndex={isFirst ? 0 : -1}
      >
        {stageSigns[node.stage]}
      </a>
    );
  }
}

const describeCell = ({ id, stage, pods, release, image, answer }: NodeRow): string =>
  `${id}: ${describeNodeStage(stage)}, ${pods} pods, ${release ?? image ?? 'no image known'}; it ${answer}`;

const cellSteps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function moveBetweenCells(event: KeyboardEvent): void {
  const step = Object.hasOwn(cellSteps, event.key) ? (cellSteps[event.key] ?? 0) : 0;
  if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return;
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('a.cell')];
  const next = cells[cells.findIndex((cell) => cell === document.activeElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
