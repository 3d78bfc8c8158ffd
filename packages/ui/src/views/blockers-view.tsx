import { byText } from '@nodewright/apis';
import type { BlockerCause, BlockerRow, Dashboard } from '@nodewright/dashboard/rows';
import { useContext } from 'preact/hooks';
import { DataTable, type DataColumn } from '../parts/data-table.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { pageContext } from '../parts/page-context.ts';
import { countSecondsBetween } from '../parts/count-seconds.ts';
import { AgeText, TimeText } from '../parts/time-text.tsx';

/** Each node that should move and does not: the causes with what they hold, then every node. */
export function BlockersView({ dashboard: { blockers } }: { readonly dashboard: Dashboard }) {
  const { at } = useContext(pageContext);
  if (blockers.length === 0) return <p class="empty">Nothing is held: every node that should move goes, or is next.</p>;
  return (
    <>
      <ul class="causes" aria-label="Causes">
        {groupByCause(blockers).map((group) => (
          <CauseCard key={`${group.cause.cause} ${group.cause.object?.name ?? group.cause.message}`} {...group} />
        ))}
      </ul>
      <DataTable title="Held nodes" columns={blockerColumns(at)} rows={blockers} empty="No node is held." />
    </>
  );
}

/** One object that holds nodes, for one cause. */
type CauseGroup = {
  readonly cause: BlockerCause;
  readonly messages: readonly string[];
  readonly nodes: readonly BlockerRow[];
};

/** The objects that hold most nodes come first. Causes without an object are told apart by their words. */
function groupByCause(blockers: readonly BlockerRow[]): readonly CauseGroup[] {
  const groups = new Map<
    string,
    { readonly cause: BlockerCause; readonly messages: Set<string>; readonly nodes: Set<BlockerRow> }
  >();
  for (const row of blockers) {
    for (const cause of row.causes) {
      const { kind = '', name = cause.message } = cause.object ?? {};
      const key = [cause.cause, kind, name].join('\n');
      const group = groups.get(key) ?? { cause, messages: new Set(), nodes: new Set() };
      group.messages.add(cause.message);
      group.nodes.add(row);
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .map(({ cause, messages, nodes }) => ({ cause, messages: [...messages], nodes: [...nodes] }))
    .toSorted((a, b) => b.nodes.length - a.nodes.length || byText(a.cause.message, b.cause.message));
}

const mostMessagesOfCard = 3;
const mostNodesOfCard = 8;

function CauseCard({ cause, messages, nodes }: CauseGroup) {
  return (
    <li class="card">
      <h2>
        <span class="tag">{cause.cause}</span>
        {cause.object !== undefined && (
          <span>
            {' '}
            {cause.object.kind} <strong>{cause.object.name}</strong>
          </span>
        )}
      </h2>
      {messages.slice(0, mostMessagesOfCard).map((message) => (
        <p key={message}>{message}</p>
      ))}
      {messages.length > mostMessagesOfCard && <p>and {messages.length - mostMessagesOfCard} more of this kind</p>}
      {cause.until !== undefined && (
        <p>
          At the earliest <TimeText at={cause.until} />
        </p>
      )}
      <p>
        Holds {nodes.length} {nodes.length === 1 ? 'node' : 'nodes'}:{' '}
        {nodes.slice(0, mostNodesOfCard).map(({ id, node, explain }, index) => (
          <span key={id}>
            {index === 0 ? '' : ', '}
            <ExplainLink path={explain}>{node}</ExplainLink>
          </span>
        ))}
        {nodes.length > mostNodesOfCard && ` and ${nodes.length - mostNodesOfCard} more`}
      </p>
    </li>
  );
}

const blockerColumns = (at: string): readonly DataColumn<BlockerRow>[] => [
  {
    title: 'Node',
    value: ({ node }) => node,
    draw: ({ node, explain }) => <ExplainLink path={explain}>{node}</ExplainLink>,
  },
  { title: 'Group', value: ({ group }) => group },
  { title: 'Should move for', value: ({ because }) => because },
  {
    title: 'Since',
    value: ({ since }) => (since === undefined ? undefined : countSecondsBetween(since, at)),
    draw: ({ since }) => <AgeText since={since} />,
    isNumber: true,
  },
  { title: 'Cause', value: ({ causes }) => causes.map(({ cause }) => cause).join(', ') },
  {
    title: 'Object',
    isProse: true,
    value: ({ causes }) =>
      [
        ...new Set(causes.flatMap(({ object }) => (object === undefined ? [] : [`${object.kind}/${object.name}`]))),
      ].join(', '),
  },
  { title: 'Why', value: ({ causes }) => causes.map(({ message }) => message).join('; '), isProse: true },
];
