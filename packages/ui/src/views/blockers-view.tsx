import { byText } from '@nodewright/apis';
import {
  adviseOnCause,
  type BlockerRow,
  type CauseGroup,
  type Dashboard,
  groupLikeCauses,
  groupSentences,
  type SentenceGroup,
  spellNodeCount,
  nameCause,
} from '@nodewright/dashboard/rows';
import { DataTable, type DataColumn } from '../parts/data-table.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { countSecondsBetween } from '../parts/count-seconds.ts';
import { OpenedPart } from '../parts/opened-part.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { AgeText, TimeText } from '../parts/time-text.tsx';

/** A reader who wants to see all causes opens the rest. */
const mostCards = 12;

/** Each node that should move and does not: the causes with what they hold, then every node. */
export function BlockersView({ dashboard: { blockers } }: { readonly dashboard: Dashboard }) {
  if (blockers.length === 0) return <p class="empty">Nothing is held: every node that should move goes, or is next.</p>;
  const groups = groupLikeCauses(blockers);
  return (
    <>
      <CauseCards groups={groups.slice(0, mostCards)} />
      {groups.length > mostCards && (
        <OpenedPart summary={`${groups.length - mostCards} more causes`}>
          {() => <CauseCards groups={groups.slice(mostCards)} />}
        </OpenedPart>
      )}
      <DataTable title="Held nodes" columns={blockerColumns} rows={blockers} empty="No node is held." />
    </>
  );
}

const CauseCards = ({ groups }: { readonly groups: readonly CauseGroup[] }) => (
  <ul class="causes" aria-label="Causes">
    {groups.map((group) => (
      <CauseCard key={`${group.cause.cause} ${group.cause.object?.name ?? group.cause.message}`} {...group} />
    ))}
  </ul>
);

function CauseCard({ cause, messages, nodes }: CauseGroup) {
  const advice = cause.until === undefined ? adviseOnCause(cause) : undefined;
  return (
    <li class="card">
      <h2>
        <span class="tag">{nameCause(cause.cause)}</span>
        {cause.object !== undefined && (
          <span>
            {' '}
            {cause.object.kind} <strong>{cause.object.name}</strong>
          </span>
        )}
      </h2>
      {groupSentences(messages).map((group, index) => (
        <CauseSentences key={index} {...group} />
      ))}
      {cause.until !== undefined && !messages.some((message) => message.includes(' until ')) && (
        <p>
          At the earliest <TimeText at={cause.until} />
        </p>
      )}
      {advice !== undefined && <p>To do: {advice}</p>}
      <HeldNodes nodes={nodes} />
    </li>
  );
}

/** What is said of many nodes in nearly the same words is said once. */
const CauseSentences = ({ pattern, sentences }: SentenceGroup) => (
  <>
    <p>
      <SentenceText text={pattern} />
    </p>
    {sentences.length > 1 && (
      <OpenedPart summary={`${sentences.length} times: show each`}>
        {() => (
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>
                <SentenceText text={sentence} />
              </li>
            ))}
          </ul>
        )}
      </OpenedPart>
    )}
  </>
);

const mostNodesOfCard = 8;

const HeldNodes = ({ nodes }: Pick<CauseGroup, 'nodes'>) => (
  <>
    <p>
      Holds {spellNodeCount(nodes.length)} <HeldFor nodes={nodes} />:{' '}
      <NodeNames nodes={nodes.slice(0, mostNodesOfCard)} />
    </p>
    {nodes.length > mostNodesOfCard && (
      <OpenedPart summary={`${nodes.length - mostNodesOfCard} more nodes`}>
        {() => (
          <p>
            <NodeNames nodes={nodes.slice(mostNodesOfCard)} />
          </p>
        )}
      </OpenedPart>
    )}
  </>
);

/** Since the first of them should have moved. */
function HeldFor({ nodes }: Pick<CauseGroup, 'nodes'>) {
  const since = nodes.flatMap((row) => row.since ?? []).toSorted(byText)[0];
  return since === undefined ? null : (
    <span class="faint">
      {nodes.length === 1 ? 'for' : 'for up to'} <AgeText since={since} />
    </span>
  );
}

const NodeNames = ({ nodes }: Pick<CauseGroup, 'nodes'>) => (
  <>
    {nodes.map(({ id, node, explain }, index) => (
      <span key={id}>
        {index === 0 ? '' : ', '}
        <ExplainLink path={explain}>{node}</ExplainLink>
      </span>
    ))}
  </>
);

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
  { title: 'Cause', value: ({ causes }) => causes.map(({ cause }) => nameCause(cause)).join(', ') },
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
