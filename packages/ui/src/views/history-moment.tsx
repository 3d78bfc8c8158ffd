import { byTextOf } from '@nodewright/apis';
import { type HistoryEntry, type HistoryTrack, type TrackedRow, spellNodeCount } from '@nodewright/dashboard/rows';
import { Component } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { DrawnOnce, hasSameItems } from '../parts/drawn-once.ts';
import { TimeText } from '../parts/time-text.tsx';
import { limitGroups, useColumns, useGrowingCount, useSlots } from './cell-layout.ts';
import { splitIntoBlocks } from './cell-slots.ts';
import type { HistoryLine } from './history-times.ts';
import { stageSigns } from './stage-signs.ts';

type MomentProps = {
  readonly line: HistoryLine;
  readonly time: number;
  readonly rows: readonly TrackedRow[];
};

/** What there was at a moment, and what changed until then. */
export function HistoryMoment({ line, time, rows }: MomentProps) {
  const isForeseen = time > line.now;
  const groups = useMemo(() => groupPastNodes(rows), [rows]);
  const total = groups.reduce((sum, [, nodes]) => sum + nodes.length, 0);
  const count = useGrowingCount(total);
  return (
    <>
      <div aria-busy={count < total}>
        {limitGroups(groups, count).map(([group, nodes, drawn]) => (
          <PastGroup key={group} group={group} nodes={nodes} drawn={drawn} isForeseen={isForeseen} />
        ))}
      </div>
      <TrackList title="Rollouts" rows={rows.filter(({ track }) => track === 'rollouts')} />
      {!isForeseen && (
        <>
          <TrackList title="Held nodes" rows={rows.filter(({ track }) => track === 'blockers')} />
          <TrackList title="Pods without a node" rows={rows.filter(({ track }) => track === 'waiting')} />
        </>
      )}
      <DataTable
        title={isForeseen ? 'Changes foreseen until then' : 'Changes before'}
        columns={changeColumns}
        rows={listLastChanges(line, time)}
        sortedBy=""
        empty={
          isForeseen
            ? 'Nothing is foreseen to change until then.'
            : 'Nothing has changed since the server began to read the cluster.'
        }
      />
    </>
  );
}

/** The nodes of each group, the groups by name. */
function groupPastNodes(rows: readonly TrackedRow[]): readonly (readonly [string, readonly TrackedRow[]])[] {
  const groups = new Map<string, TrackedRow[]>();
  for (const row of rows) {
    if (row.track !== 'nodes') continue;
    const { group = '' } = row;
    const own = groups.get(group);
    if (own === undefined) groups.set(group, [row]);
    else own.push(row);
  }
  return [...groups].toSorted(byTextOf(([group]) => group));
}

type PastGroupProps = {
  readonly group: string;
  readonly nodes: readonly TrackedRow[];
  readonly drawn: number;
  readonly isForeseen: boolean;
};

function PastGroup({ group, nodes, drawn, isForeseen }: PastGroupProps) {
  const cells = useRef<HTMLDivElement>(null);
  const columns = useColumns(cells);
  const slots = useSlots(nodes);
  return (
    <section class="group" aria-label={group}>
      <h2>
        {group} <span class="faint">{spellNodeCount(nodes.length)}</span>
      </h2>
      <div ref={cells}>
        {columns !== undefined &&
          splitIntoBlocks(slots, columns, drawn).map((block, index) => (
            <PastBlock key={index} nodes={block} isForeseen={isForeseen} />
          ))}
      </div>
    </section>
  );
}

type PastBlockProps = { readonly nodes: readonly TrackedRow[]; readonly isForeseen: boolean };

class PastBlock extends Component<PastBlockProps> {
  override shouldComponentUpdate({ nodes, isForeseen }: PastBlockProps): boolean {
    return isForeseen !== this.props.isForeseen || !hasSameItems(nodes, this.props.nodes);
  }

  override render() {
    const { nodes, isForeseen } = this.props;
    return (
      <ul class={isForeseen ? 'cells block foreseen' : 'cells block'}>
        {nodes.map((node, index) => (
          <PastCell key={index} node={node} />
        ))}
      </ul>
    );
  }
}

class PastCell extends DrawnOnce<{ readonly node: TrackedRow }> {
  override render() {
    const { id, stage = 'unmanaged', words } = this.props.node;
    return (
      <li class={`cell stage-${stage}`} title={`${id}: ${words}`}>
        <span aria-hidden="true">{stageSigns[stage]}</span>
        <span class="for-readers">
          {id}: {words}
        </span>
      </li>
    );
  }
}

const mostListed = 8;

function TrackList({ title, rows }: { readonly title: string; readonly rows: readonly TrackedRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="group" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {rows.slice(0, mostListed).map(({ id, track, words, pods }) => (
          <li key={id}>
            {track === 'waiting' ? `${pods === 1 ? '1 pod' : `${pods ?? 0} pods`}: ${words}` : `${id}: ${words}`}
          </li>
        ))}
        {rows.length > mostListed && <li>and {rows.length - mostListed} more</li>}
      </ul>
    </section>
  );
}

/** A change with an id of its own: one row may change often. */
type ChangeRow = { readonly id: string; readonly entry: HistoryEntry };

const mostShownChanges = 100;

/** The latest first. In the time to come, those that are expected until then. */
function listLastChanges({ entries, expected, now }: HistoryLine, time: number): readonly ChangeRow[] {
  return (time > now ? expected : entries)
    .filter(({ at }) => Date.parse(at) <= time)
    .slice(-mostShownChanges)
    .map((entry, index) => ({ id: `${entry.at} ${index}`, entry }))
    .toReversed();
}

const trackWords: Readonly<Record<HistoryTrack, string>> = {
  nodes: 'node',
  blockers: 'held node',
  rollouts: 'rollout',
  waiting: 'waiting pods',
};

const nameOfChange = ({ track, id, row }: HistoryEntry): string =>
  track === 'waiting' ? `${row?.pods ?? 0} pods` : id;

const wordsOfChange = ({ track, row }: HistoryEntry): string =>
  row?.words ?? (track === 'nodes' ? 'gone' : track === 'blockers' ? 'no longer held' : 'no longer there');

const changeColumns: readonly DataColumn<ChangeRow>[] = [
  { title: 'When', value: ({ entry }) => entry.at, draw: ({ entry }) => <TimeText at={entry.at} /> },
  { title: 'What', value: ({ entry }) => trackWords[entry.track] },
  { title: 'Name', value: ({ entry }) => nameOfChange(entry) },
  { title: 'Then', value: ({ entry }) => wordsOfChange(entry), isProse: true },
];
