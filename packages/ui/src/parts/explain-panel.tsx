import type { ExplainedRow } from '@nodewright/dashboard/rows';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { askServer, readServerRefusal } from '../live/ask-server.ts';
import { goToAddress } from '../live/page-location.ts';
import { CopyButton } from './copy-button.tsx';
import { ExplainLink } from './explain-link.tsx';
import { clockContext, useAddress } from './page-context.ts';
import { SentenceText } from './sentence-text.tsx';
import { TimeText } from './time-text.tsx';

type PanelAnswer = { readonly explained?: ExplainedRow; readonly problem?: string };

/** Why an object is as it is, in the words of `nodewright explain`. It is asked again whenever the cluster is read again. */
export function ExplainPanel({ path }: { readonly path: string }) {
  const at = useContext(clockContext);
  const address = useAddress();
  const [answer, setAnswer] = useState<PanelAnswer>({});
  const panel = useRef<HTMLElement>(null);
  useFocusGivenBack(panel);
  useEffect(() => panel.current?.focus(), [path]);
  useEffect(() => {
    const ending = new AbortController();
    void askExplanation(path, ending.signal).then((next) => {
      if (!ending.signal.aborted) setAnswer(next);
    });
    return () => ending.abort();
  }, [path, at]);
  const close = (): void => goToAddress(address({ explain: '' }));
  return (
    <aside
      class="panel"
      aria-label="Explanation"
      tabIndex={-1}
      ref={panel}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <button type="button" class="close" onClick={close} aria-label="Close the explanation">
        ×
      </button>
      {answer.problem !== undefined && <p class="warning">{answer.problem}</p>}
      {answer.explained !== undefined && <Explained explained={answer.explained} />}
    </aside>
  );
}

/** Whoever closes the panel goes on from where it was opened, or from the view where that is gone. */
function useFocusGivenBack(panel: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const { current } = panel;
    const opener = document.activeElement;
    return () => {
      if (current?.contains(document.activeElement) !== true) return;
      const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
      (isThere ? opener : document.getElementById('view'))?.focus();
    };
  }, [panel]);
}

async function askExplanation(path: string, signal: AbortSignal): Promise<PanelAnswer> {
  try {
    const response = await askServer(`/api/explain/${path.split('/').map(encodeURIComponent).join('/')}`, signal);
    if (!response.ok) return { problem: await readServerRefusal(response) };
    return { explained: (await response.json()) as ExplainedRow };
  } catch {
    return { problem: 'no connection' };
  }
}

function Explained({ explained }: { readonly explained: ExplainedRow }) {
  const { subject, answer, reasons, changesAt, change, command, pods } = explained;
  const name = subject.namespace === undefined ? subject.name : `${subject.namespace}/${subject.name}`;
  return (
    <>
      <h2>
        {subject.kind} {name}
      </h2>
      <p class="answer">
        <SentenceText text={`It ${answer}.`} />
      </p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            <SentenceText text={reason} />
          </li>
        ))}
      </ul>
      {changesAt !== undefined && (
        <p>
          Changes by itself <TimeText at={changesAt} />
          {change === undefined ? '' : `: ${change}`}
        </p>
      )}
      {pods !== undefined && pods.length > 0 && (
        <details>
          <summary>{pods.length === 1 ? '1 pod' : `${pods.length} pods`} on it</summary>
          <ul>
            {pods.map((pod) => (
              <li key={pod}>
                <ExplainLink path={`pod/${pod}`}>{pod}</ExplainLink>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p>
        <code>{command}</code> <CopyButton text={() => command} label="Copy" name={`Copy ${command}`} />
      </p>
    </>
  );
}
