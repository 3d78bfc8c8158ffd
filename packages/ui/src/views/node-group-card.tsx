import { type GroupProgressRow, spellWords } from '@nodewright/dashboard/rows';
import { ExplainLink } from '../parts/explain-link.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { AgeText } from '../parts/time-text.tsx';
import { ProgressBar } from './progress-bar.tsx';

/** A NodeGroup that is not what it is to be: how far it is, and why it stands there. */
export function NodeGroupCard({ row }: { readonly row: GroupProgressRow }) {
  const { id, phase, reason, target, total, updated, startedAt, explain } = row;
  return (
    <article class={phase === 'Failed' ? 'card bad' : 'card'} aria-label={`NodeGroup ${id}`}>
      <h2>
        NodeGroup <ExplainLink path={explain}>{id}</ExplainLink>
        {target === undefined ? '' : `: to ${target}`} <span class="tag">{spellWords(phase)}</span>
      </h2>
      <ProgressBar
        total={total}
        updated={updated}
        failed={0}
        words={`${updated} of ${total} updated`}
        explain={explain}
      />
      <p>
        <SentenceText text={reason} />
      </p>
      {startedAt !== undefined && (
        <p class="faint">
          Under way for <AgeText since={startedAt} />
        </p>
      )}
    </article>
  );
}
