import {
  adviseOnCause,
  type BlockerRow,
  type CauseGroup,
  type Dashboard,
  groupCauses,
} from '@nodewright/dashboard/rows';
import { DataTable, type DataColumn } from '../parts/data-table.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { countSecondsBetween } from '../parts/count-seconds.ts';
import { spellWords } from '../parts/spell-words.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { AgeText, TimeText } from '../parts/time-text.tsx';

/** Each node that should move and does not: the causes with what they hold, then every node. */
export function BlockersView({ dashboard: { blockers } }: { readonly dashboard: Dashboard }) {
  if (blockers.length === 0) return <p class="empty">Nothing is held: every node that should move goes, or is next.</p>;
  return (
    <>
      <ul class="causes" aria-label="Causes">
        {groupCauses(blockers).map((group) => (
          <CauseCard key={`${group.cause.cause} ${group.cause.object?.name ?? group.cause.message}`} {...group} />
        ))}
      </ul>
      <DataTable title="Held nodes" columns={blockerColumns} rows={blockers} empty="No node is held." />
    </>
  );
}

const mostMessagesOfCard = 3;
const mostNodesOfCard = 8;

function CauseCard({ cause, messages, nodes }: CauseGroup) {
  const advice = cause.until === undefined ? adviseOnCause(cause) : undefined;
  return (
    <li class="card">
      <h2>
        <span class="tag">{spellWords(cause.cause)}</span>
        {cause.object !== undefined && (
          <span>
            {' '}
            {cause.object.kind} <strong>{cause.object.name}</strong>
          </span>
        )}
      </h2>
      {messages.slice(0, mostMessagesOfCard).map((message) => (
        <p key={message}>
          <SentenceText text={message} />
        </p>
      ))}
      {messages.length > mostMessagesOfCard && <p>and {messages.length - mostMessagesOfCard} more of this kind</p>}
      {cause.until !== undefined && !messages.some((message) => message.includes(' until ')) && (
        <p>
          At the earliest <TimeText at={cause.until} />
        </p>
      )}
      {advice !== undefined && <p>To do: {advice}</p>}
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

const describeCauses = (causes: BlockerRow['causes']): string => causes.map(({ message }) => message).join('; ');

const blockerColumns: readonly DataColumn<BlockerRow>[] = [
  {
    title: 'Node',
    value: ({ node }) => node,
    draw: ({ node, explain }) => <ExplainLink path={explain}>{node}</ExplainLink>,
  },
  { title: 'Group', value: ({ group }) => group },
  { title: 'Should move for', value: ({ because }) => because },
  {
    title: 'Since',
    copiedTitle: 'Held for seconds',
    value: ({ since }, at) => (since === undefined ? undefined : countSecondsBetween(since, at)),
    draw: ({ since }) => <AgeText since={since} />,
    isNumber: true,
  },
  { title: 'Cause', value: ({ causes }) => causes.map(({ cause }) => spellWords(cause)).join(', ') },
  {
    title: 'Object',
    isBrief: true,
    value: ({ causes }) =>
      [
        ...new Set(causes.flatMap(({ object }) => (object === undefined ? [] : [`${object.kind}/${object.name}`]))),
      ].join(', '),
  },
  {
    title: 'Why',
    value: ({ causes }) => describeCauses(causes),
    draw: ({ causes }) => <SentenceText text={describeCauses(causes)} />,
    isBrief: true,
  },
];
