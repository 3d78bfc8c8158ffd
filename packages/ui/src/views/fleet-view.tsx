import { byText } from '@nodewright/apis';
import {
  type Dashboard,
  describeNodeStage,
  formatHourlyPrice,
  listAttention,
  type NodeRow,
  sumHourlyPrices,
  summarizeStages,
} from '@nodewright/dashboard/rows';
import { Component } from 'preact';
import { useContext } from 'preact/hooks';
import { formatPageAddress, type PageLocation } from '../live/page-location.ts';
import { DataTable, type DataColumn } from '../parts/data-table.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { clockContext, placeContext, useAddress } from '../parts/page-context.ts';
import { countSecondsBetween } from '../parts/count-seconds.ts';
import { AgeText } from '../parts/time-text.tsx';
import { UseBar } from '../parts/use-bar.tsx';
import { AttentionList } from './attention-list.tsx';
import { colourFleet, type FleetColours, fleetColourings } from './fleet-colours.ts';
import { stageSigns } from './stage-signs.ts';

/** A cell for each node under its pool or group, and the nodes as a table. */
export function FleetView({ dashboard }: { readonly dashboard: Dashboard }) {
  const place = useContext(placeContext);
  const at = useContext(clockContext);
  const asked = place.query.get('colour');
  const colouring = fleetColourings.find((each) => each === asked) ?? 'health';
  const { nodes } = dashboard;
  const colours = colourFleet(nodes, colouring, at);
  const groups = [...new Set(nodes.map(({ group }) => group))].toSorted(byText);
  if (nodes.length === 0) return <p class="empty">No node.</p>;
  return (
    <>
      <AttentionList items={listAttention(dashboard)} />
      <ColourChoice current={colouring} />
      <ul class="legend" aria-label={`Colours by ${colouring}`}>
        {colours.legend.map(({ className, words, count }) => (
          <li key={className}>
            <span class={`cell ${className}`} aria-hidden="true" /> {words}: {count}
          </li>
        ))}
      </ul>
      {groups.map((group) => (
        <NodeGrid key={group} group={group} nodes={nodes.filter((node) => node.group === group)} colours={colours} />
      ))}
      <DataTable title="Nodes" columns={nodeDataColumns(at)} rows={nodes} empty="No node." />
    </>
  );
}

function ColourChoice({ current }: { readonly current: string }) {
  const address = useAddress();
  return (
    <nav class="choice" aria-label="Colour nodes by">
      <span>Colour by</span>
      {fleetColourings.map((each) => (
        <a
          key={each}
          href={address({ colour: each === 'health' ? '' : each })}
          {...(each === current ? { 'aria-current': 'true' as const } : {})}
        >
          {each}
        </a>
      ))}
    </nav>
  );
}

type NodeGridProps = {
  readonly group: string;
  readonly nodes: readonly NodeRow[];
  readonly colours: FleetColours;
};

/** One stop of the Tab key for all cells; arrows lead from cell to cell. */
function NodeGrid({ group, nodes, colours }: NodeGridProps) {
  const place = useContext(placeContext);
  const kind = group.startsWith('NodePool/');
  return (
    <section class="group" aria-label={group}>
      <h2>
        {kind ? <ExplainLink path={`nodepool/${group.slice('NodePool/'.length)}`}>{group}</ExplainLink> : group}
        <span class="faint">
          {' '}
          {nodes.length} nodes: {summarizeStages(nodes)}; {formatHourlyPrice(sumHourlyPrices(nodes))} an hour
        </span>
      </h2>
      <div class="cells" role="list" onKeyDown={moveBetweenCells}>
        {nodes.map((node, index) => (
          <NodeCell key={node.id} node={node} className={colours.classOf(node)} isFirst={index === 0} place={place} />
        ))}
      </div>
    </section>
  );
}

type NodeCellProps = {
  readonly node: NodeRow;
  readonly className: string;
  readonly isFirst: boolean;
  readonly place: PageLocation;
};

/** A cell is drawn again when something of it has changed: there may be thousands. */
class NodeCell extends Component<NodeCellProps> {
  override shouldComponentUpdate(next: NodeCellProps): boolean {
    const { node, className, isFirst, place } = this.props;
    return next.node !== node || next.className !== className || next.isFirst !== isFirst || next.place !== place;
  }

  override render() {
    const { node, className, isFirst, place } = this.props;
    const words = describeCell(node);
    return (
      <span role="listitem">
        <a
          class={`cell ${className}`}
          href={formatPageAddress(place, { explain: node.explain })}
          title={words}
          aria-label={words}
          tabIndex={isFirst ? 0 : -1}
        >
          <span aria-hidden="true">{stageSigns[node.stage]}</span>
        </a>
      </span>
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

const nodeDataColumns = (at: string): readonly DataColumn<NodeRow>[] => [
  {
    title: 'Node',
    value: ({ id }) => id,
    draw: ({ id, explain }) => <ExplainLink path={explain}>{id}</ExplainLink>,
  },
  { title: 'State', value: ({ stage }) => describeNodeStage(stage) },
  { title: 'Why', value: ({ answer }) => `it ${answer}`, isBrief: true },
  { title: 'Group', value: ({ group }) => group },
  { title: 'Image', value: ({ release, image }) => release ?? image },
  { title: 'Type', value: ({ instanceType }) => instanceType },
  { title: 'Capacity', value: ({ capacityType }) => capacityType },
  { title: 'Zone', value: ({ zone }) => zone },
  {
    title: 'CPU',
    value: ({ cpuPercent }) => cpuPercent,
    draw: ({ cpuPercent }) => <UseBar percent={cpuPercent} />,
    isNumber: true,
  },
  {
    title: 'Memory',
    value: ({ memoryPercent }) => memoryPercent,
    draw: ({ memoryPercent }) => <UseBar percent={memoryPercent} />,
    isNumber: true,
  },
  { title: 'Pods', value: ({ pods }) => pods, isNumber: true },
  {
    title: 'Age',
    value: ({ createdAt }) => (createdAt === undefined ? undefined : countSecondsBetween(createdAt, at)),
    draw: ({ createdAt }) => <AgeText since={createdAt} />,
    isNumber: true,
  },
  {
    title: 'Price/h',
    value: ({ microUsdPerHour }) => (microUsdPerHour === undefined ? undefined : microUsdPerHour / 1_000_000),
    draw: ({ microUsdPerHour: price }) => (price === undefined ? '–' : formatHourlyPrice(price)),
    isNumber: true,
  },
];
