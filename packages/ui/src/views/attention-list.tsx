import type { AttentionItem } from '@nodewright/dashboard/rows';
import { CopyButton } from '../parts/copy-button.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { LongSentence } from '../parts/long-sentence.tsx';
import { AgeText, TimeText } from '../parts/time-text.tsx';

const mostShown = 5;

const urgencyWords: Readonly<Record<AttentionItem['urgency'], string>> = {
  broken: 'not working',
  waitsForPerson: 'waits for a person',
  goesOn: 'goes on by itself',
};

/** What is wrong, why, and what to do: the first thing to be seen. */
export function AttentionList({ items }: { readonly items: readonly AttentionItem[] }) {
  const isWell = items.every(({ urgency }) => urgency === 'goesOn');
  const calm = isWell ? <p class="all-well">Nothing waits for a person.</p> : null;
  if (items.length === 0) return calm;
  return (
    <section class="attention" aria-label="What needs attention">
      {calm}
      <ul>
        {items.slice(0, mostShown).map((item) => (
          <AttentionCard key={item.id} item={item} />
        ))}
      </ul>
      {items.length > mostShown && (
        <details>
          <summary>{items.length - mostShown} more</summary>
          <ul>
            {items.slice(mostShown).map((item) => (
              <AttentionCard key={item.id} item={item} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function AttentionCard({ item }: { readonly item: AttentionItem }) {
  const { urgency, what, why, since, until, todo, commands, view, explain } = item;
  return (
    <li class={`attention-item ${urgency}`}>
      <p>
        <strong>{what}</strong> <span class="tag">{urgencyWords[urgency]}</span>
        {since !== undefined && (
          <span class="faint">
            {' '}
            for <AgeText since={since} />
          </span>
        )}
      </p>
      <LongSentence key={why} text={why} />
      {until !== undefined && (
        <p>
          At the earliest <TimeText at={until} />
        </p>
      )}
      {todo !== undefined && <p>To do: {todo}</p>}
      {commands.map((command) => (
        <p key={command}>
          To do: <code>{command}</code> <CopyButton text={() => command} label="Copy" name={`Copy ${command}`} />
        </p>
      ))}
      <p>
        <a href={`/${view}`} aria-label={`More on ${what}`}>
          More
        </a>
        {explain !== undefined && (
          <>
            {' '}
            <ExplainLink path={explain} label={`Why: ${what}`}>
              Why
            </ExplainLink>
          </>
        )}
      </p>
    </li>
  );
}
