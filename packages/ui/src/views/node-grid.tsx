import {
  describeNodeStage,
  describeHourlyCost,
  findGroupExplanation,
  type NodeRow,
  sumHourlyPrices,
  spellNodeCount,
  summarizeStages,
} from '@nodewright/dashboard/rows';
import { Component } from 'preact';
import { useContext, useMemo, useRef } from 'preact/hooks';
import { createExplainAddresses } from '../live/page-location.ts';
import { createArrowSteps } from '../parts/arrow-keys.ts';
import { DrawnOnce, hasSameItems } from '../parts/drawn-once.ts';
import { ExplainLink } from '../parts/explain-link.tsx';
import { placeContext } from '../parts/page-context.ts';
import { useColumns, useSlots } from './cell-layout.ts';
import { splitIntoBlocks } from './cell-slots.ts';
import type { FleetColours } from './fleet-colours.ts';
import { stageSigns } from './stage-signs.ts';

type NodeGridProps = {
  readonly group: string;
  readonly nodes: readonly NodeRow[];
  /** So many of them are drawn, and those that fill their last block. */
  readonly drawn: number;
  readonly colours: FleetColours;
};

/** The nodes of a group. One stop of the Tab key for all cells; arrows lead from cell to cell. */
export function NodeGrid({ group, nodes, drawn, colours }: NodeGridProps) {
  const place = useContext(placeContext);
  const cells = useRef<HTMLDivElement>(null);
  const columns = useColumns(cells);
  const slots = useSlots(nodes);
  const addressOf = useMemo(() => createExplainAddresses(place), [place]);
  const explain = findGroupExplanation(group);
  return (
    <section class="group" aria-label={group}>
      <h2>
        {explain === undefined ? group : <ExplainLink path={explain}>{group}</ExplainLink>}
        <span class="faint">
          {' '}
          {spellNodeCount(nodes.length)}: {summarizeStages(nodes)}
          {nodes.some(({ microUsdPerHour }) => microUsdPerHour !== undefined) ? `; ${describeCost(nodes)}` : ''}
        </span>
      </h2>
      <div ref={cells} role="group" aria-label={`Nodes of ${group}`} onKeyDown={moveBetweenCells}>
        {columns !== undefined &&
          splitIntoBlocks(slots, columns, drawn).map((block, index) => (
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
  `${id}: ${describeNodeStage(stage)}, ${pods === undefined ? '' : `${pods} pods, `}${release ?? image ?? 'no image known'}; it ${answer}`;

const moveBetweenCells = createArrowSteps('a.cell');
