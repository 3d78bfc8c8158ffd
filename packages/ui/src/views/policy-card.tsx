import { describePolicy, type PolicyRow, spellWords } from '@nodewright/dashboard/rows';
import { CopyButton } from '../parts/copy-button.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { AgeText } from '../parts/time-text.tsx';

/** A policy that leads no rollout, or of which something else is to be known: what it governs, and what it holds back. */
export function PolicyCard({ row }: { readonly row: PolicyRow }) {
  const { id, notes } = row;
  const command = `nodewright rollout plan ${id}`;
  return (
    <article class={notes.some(({ urgency }) => urgency === 'broken') ? 'card bad' : 'card'} aria-label={id}>
      <h2>NodeRolloutPolicy {id}</h2>
      <p>It {describePolicy(row)}.</p>
      {notes.map(({ kind, message, since }) => (
        <p key={`${kind} ${message}`} class="warning">
          <span class="tag">{spellWords(kind)}</span>{' '}
          {since !== undefined && (
            <>
              for <AgeText since={since} />:{' '}
            </>
          )}
          <SentenceText text={message} />
        </p>
      ))}
      <p>
        What comes next: <code>{command}</code>{' '}
        <CopyButton text={() => command} label="Copy" name={`Copy ${command}`} />
      </p>
    </article>
  );
}
