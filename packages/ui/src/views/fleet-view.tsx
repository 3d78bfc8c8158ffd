import { byTextOf } from '@nodewright/apis';
import {
  type Dashboard,
  describeNodeStage,
  formatHourlyPrice,
  type HiddenParts,
  listAttention,
  type NodeRow,
} from '@nodewright/dashboard/rows';
import { useContext } from 'preact/hooks';
import { DataTable, type DataColumn } from '../parts/data-table.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { IfShown } from '../parts/if-shown.tsx';
import { clockContext, hiddenContext, placeContext, useAddress } from '../parts/page-context.ts';
import { countSecondsBetween } from '../parts/count-seconds.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { AgeText } from '../parts/time-text.tsx';
import { UseBar } from '../parts/use-bar.tsx';
import { AttentionList } from './attention-list.tsx';
import { limitGroups, useGrowingCount } from './cell-layout.ts';
import { colourFleet, type FleetColouring, fleetColourings } from './fleet-colours.ts';
import { NodeGrid } from './node-grid.tsx';

/** What needs attention, a cell for each node under its pool or group, and the nodes as a table. */
export function FleetView({ dashboard }: { readonly dashboard: Dashboard }) {
  const hidden = useContext(hiddenContext);
  const items = listAttention(dashboard);
  return (
    <>
      {(items.length > 0 || Object.keys(hidden).length === 0) && <AttentionList items={items} />}
      <IfShown part="nodes" what="Nodes are">
        <IfShown part="nodeReasons" what="What is to become of nodes, and NodeClaims without one, are" />
        <FleetNodes dashboard={dashboard} />
      </IfShown>
    </>
  );
}

function FleetNodes({ dashboard }: { readonly dashboard: Dashboard }) {
  const hidden = useContext(hiddenContext);
  const place = useContext(placeContext);
  const at = useContext(clockContext);
  const asked = place.query.get('colour');
  const colourings = chooseColourings(hidden);
  const colouring = colourings.find((each) => each === asked) ?? 'health';
  const { nodes } = dashboard;
  const colours = colourFleet(nodes, colouring, at);
  const count = useGrowingCount(nodes.length);
  if (nodes.length === 0) return <p class="empty">No node.</p>;
  return (
    <>
      <ColourChoice choices={colourings} current={colouring} />
      <ul class="legend" aria-label={`Colours by ${colouring}`}>
        {colours.legend.map(({ className, words, count }) => (
          <li key={className}>
            <span class={`cell ${className}`} aria-hidden="true" /> {words}: {count}
          </li>
        ))}
      </ul>
      <div aria-busy={count < nodes.length}>
        {limitGroups(groupNodes(nodes), count).map(([group, own, drawn]) => (
          <NodeGrid key={group} group={group} nodes={own} drawn={drawn} colours={colours} />
        ))}
      </div>
      <DataTable title="Nodes" columns={chooseColumns(hidden)} rows={nodes} empty="No node." />
    </>
  );
}

/** The nodes of each group, the groups by name. */
function groupNodes(nodes: readonly NodeRow[]): readonly (readonly [group: string, nodes: readonly NodeRow[]])[] {
  const groups = new Map<string, NodeRow[]>();
  for (const node of nodes) {
    const group = groups.get(node.group);
    if (group === undefined) groups.set(node.group, [node]);
    else group.push(node);
  }
  return [...groups].toSorted(byTextOf(([group]) => group));
}

/** Nodes of which that is not known would all be alike. */
const chooseColourings = (hidden: HiddenParts): readonly FleetColouring[] =>
  fleetColourings.filter(
    (each) => (each !== 'drift' || hidden.nodeReasons === undefined) && (each !== 'price' || arePricesShown(hidden)),
  );

const arePricesShown = ({ nodeReasons, spending }: HiddenParts): boolean =>
  nodeReasons === undefined && spending === undefined;

type ColourChoiceProps = { readonly choices: readonly FleetColouring[]; readonly current: FleetColouring };

function ColourChoice({ choices, current }: ColourChoiceProps) {
  const address = useAddress();
  return (
    <nav class="choice" aria-label="Colour nodes by">
      <span>Colour by</span>
      {choices.map((each) => (
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

const useTitles: readonly string[] = ['CPU', 'Memory', 'Pods'];

/** Without those that would be empty for want of rights. */
const chooseColumns = (hidden: HiddenParts): readonly DataColumn<NodeRow>[] =>
  fleetColumns.filter(
    ({ title }) =>
      (title !== 'Price/h' || arePricesShown(hidden)) && (hidden.nodeUse === undefined || !useTitles.includes(title)),
  );

const fleetColumns: readonly DataColumn<NodeRow>[] = [
  {
    title: 'Node',
    value: ({ id }) => id,
    draw: ({ id, explain }) => <ExplainLink path={explain}>{id}</ExplainLink>,
  },
  { title: 'State', value: ({ stage }) => describeNodeStage(stage) },
  { title: 'Group', value: ({ group }) => group },
  { title: 'Image', value: ({ release, image }) => release ?? image },
  {
    title: 'Age',
    copiedTitle: 'Age in seconds',
    value: ({ createdAt }, at) => (createdAt === undefined ? undefined : countSecondsBetween(createdAt, at)),
    draw: ({ createdAt }) => <AgeText since={createdAt} />,
    isNumber: true,
  },
  { title: 'Type', value: ({ instanceType }) => instanceType },
  { title: 'Capacity', value: ({ capacityType }) => capacityType },
  { title: 'Zone', value: ({ zone }) => zone },
  {
    title: 'Price/h',
    value: ({ microUsdPerHour }) => (microUsdPerHour === undefined ? undefined : microUsdPerHour / 1_000_000),
    draw: ({ microUsdPerHour: price }) => (price === undefined ? '–' : formatHourlyPrice(price)),
    isNumber: true,
  },
  {
    title: 'CPU',
    copiedTitle: 'CPU in %',
    value: ({ cpuPercent }) => cpuPercent,
    draw: ({ cpuPercent }) => <UseBar percent={cpuPercent} />,
    isNumber: true,
  },
  {
    title: 'Memory',
    copiedTitle: 'Memory in %',
    value: ({ memoryPercent }) => memoryPercent,
    draw: ({ memoryPercent }) => <UseBar percent={memoryPercent} />,
    isNumber: true,
  },
  { title: 'Pods', value: ({ pods }) => pods, isNumber: true },
  {
    title: 'Why',
    value: ({ answer }) => `it ${answer}`,
    draw: ({ answer }) => <SentenceText text={`it ${answer}`} />,
    isBrief: true,
  },
];
