import { byNumberOf, inReverse } from '@nodewright/apis';
import type { Dashboard, WaitingRow, WaitingStage } from '@nodewright/dashboard/rows';
import { useContext } from 'preact/hooks';
import { ExplainLink } from '../parts/explain-link.tsx';
import { hiddenContext } from '../parts/page-context.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { AgeText, TimeText } from '../parts/time-text.tsx';

/** The way of a pod to a node, from the beginning. */
const stageWords: readonly (readonly [stage: WaitingStage, words: string])[] = [
  ['notLookedAt', 'The scheduler has not found them unschedulable yet'],
  ['held', 'Something holds them before any node is looked for'],
  ['noPlace', 'No node has a place, and none that could be launched'],
  ['newNode', 'A new node is launched for them'],
  ['awaitedNode', 'Their node is on its way'],
  ['existingNode', 'A node has a place for them'],
];

/** Of pods without a reason. */
const plainStageWords: typeof stageWords = [['unexplained', 'Without a node']];

/** Pods without a node, by how far they are on their way to one, and by reason. */
export function PodsView({ dashboard: { waiting } }: { readonly dashboard: Dashboard }) {
  const isExplained = useContext(hiddenContext).podReasons === undefined;
  if (waiting.length === 0) return <p class="empty">No pod waits for a node.</p>;
  const total = countPods(waiting);
  return (
    <ol class="funnel">
      {(isExplained ? stageWords : plainStageWords).map(([stage, words]) => {
        const rows = waiting.filter((row) => row.stage === stage).toSorted(inReverse(byNumberOf(({ pods }) => pods)));
        return (
          <li key={stage} class={rows.length === 0 ? 'faint' : `stage-of-${stage}`}>
            <h2>
              {words}: {countPods(rows)}
            </h2>
            {rows.length > 0 && (
              <svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" width="100" height="4" />
                <rect class="fill" width={(countPods(rows) / total) * 100} height="4" />
              </svg>
            )}
            {rows.map((row) => (
              <WaitingCard key={row.id} row={row} />
            ))}
          </li>
        );
      })}
    </ol>
  );
}

const countPods = (rows: readonly WaitingRow[]): number => rows.reduce((sum, { pods }) => sum + pods, 0);

function WaitingCard({ row }: { readonly row: WaitingRow }) {
  const { pods, answer, reasons, names, since, changesAt } = row;
  return (
    <article class="card">
      <h3>
        {pods === 1 ? '1 pod' : `${pods} pods`}{' '}
        <span class="faint">
          for <AgeText since={since} />
        </span>
      </h3>
      <p>{pods === 1 ? `It ${answer}.` : `Each ${answer}.`}</p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>
              <SentenceText text={reason} />
            </li>
          ))}
        </ul>
      )}
      {changesAt !== undefined && (
        <p>
          Changes by itself <TimeText at={changesAt} />
        </p>
      )}
      <details>
        <summary>{names.length < pods ? `The first ${names.length} pods` : 'The pods'}</summary>
        <ul>
          {names.map((name) => (
            <li key={name}>
              <ExplainLink path={`pod/${name}`}>{name}</ExplainLink>
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}
